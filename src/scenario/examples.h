/* SPDX-License-Identifier: MIT */
/* Scenarios to start from (examples/), as the build puts them into the library:
 * texts, NUL behind them. Each draws its own map, so that it runs wherever it
 * is saved. */
#ifndef HAMON_SCENARIO_EXAMPLES_H
#define HAMON_SCENARIO_EXAMPLES_H

extern const unsigned char example_paper[], example_best[], example_3d[];

#endif
