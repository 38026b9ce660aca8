/* SPDX-License-Identifier: MIT */
/* Small dense matrices, by LAPACK: (rows, columns), column by column. Each
 * function returns false if LAPACK finds no result, or in a build without
 * it. */
#ifndef HAMON_ANALYSIS_MODES_DENSE_H
#define HAMON_ANALYSIS_MODES_DENSE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* matrix = U diag(singular) right: the first min(rows, columns) columns of
 * `matrix` become those of U; right: (that many, columns), with columns ≤
 * rows. */
bool dense_svd(size_t rows, size_t columns, double complex *matrix,
               double *singular, double complex *right);

/* The eigenvalues of a square matrix, which is overwritten, and its
 * eigenvectors, of length 1, or NULL. */
bool dense_eigen(size_t count, double complex *matrix, double complex *values,
                 double complex *vectors);

/* The least squares of matrix x = right, of `sides` right sides with `rows`
 * numbers each: x becomes the first `columns` ≤ rows of them. Overwrites the
 * matrix. */
bool dense_fit(size_t rows, size_t columns, double complex *matrix,
               size_t sides, double complex *right);

#endif
