/* SPDX-License-Identifier: MIT */
/* The MPI communicator of the ranks, for the only other file that uses MPI
 * directly (parallel HDF5). */
#ifndef HAMON_BASE_RANKS_MPI_H
#define HAMON_BASE_RANKS_MPI_H

#include "base/ranks.h"

#include <mpi.h>

MPI_Comm ranks_communicator(const struct ranks *ranks);

#endif
