/* SPDX-License-Identifier: MIT */
/* The end of an HDF5 file as its first bytes tell it, for a file that HDF5
 * itself refuses to open. */
#ifndef HAMON_RECORDING_SUPERBLOCK_H
#define HAMON_RECORDING_SUPERBLOCK_H

#include <stdint.h>

/* Bytes that the file has when whole; 0 where it is no HDF5 file with offsets
 * of 8 bytes, or does not tell. */
uint64_t superblock_end(int fd);

#endif
