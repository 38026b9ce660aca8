/* SPDX-License-Identifier: MIT */
/* Example scenarios (examples/), which the build puts into the library as texts
 * that end with NUL. Each draws its own map, so that it runs in any folder. */
#ifndef HAMON_SCENARIO_EXAMPLES_H
#define HAMON_SCENARIO_EXAMPLES_H

extern const unsigned char example_paper[], example_best[], example_3d[];

#endif
