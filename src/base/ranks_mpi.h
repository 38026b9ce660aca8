/* SPDX-License-Identifier: MIT */
/* The ranks as MPI knows them, for the one other file that needs MPI itself
 * (parallel HDF5). */
#ifndef HAMON_BASE_RANKS_MPI_H
#define HAMON_BASE_RANKS_MPI_H

#include "base/ranks.h"

#include <mpi.h>

MPI_Comm ranks_communicator(const struct ranks *ranks);

#endif
