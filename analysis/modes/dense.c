/* SPDX-License-Identifier: MIT */
#include "analysis/modes/dense.h"

#include "base/memory.h"
#include "base/need.h"
#include "config.h"

#ifdef HAMON_LAPACK

/* Of Fortran, with the lengths of texts last. */
void zgesvd_(const char *u, const char *v, const int *rows, const int *columns,
             double complex *matrix, const int *stride, double *singular,
             double complex *left, const int *left_stride,
             double complex *right, const int *right_stride,
             double complex *work, const int *work_size, double *real_work,
             int *info, size_t u_length, size_t v_length);
void zgeev_(const char *left, const char *right, const int *count,
            double complex *matrix, const int *stride, double complex *values,
            double complex *left_vectors, const int *left_stride,
            double complex *right_vectors, const int *right_stride,
            double complex *work, const int *work_size, double *real_work,
            int *info, size_t left_length, size_t right_length);
void zgels_(const char *transposed, const int *rows, const int *columns,
            const int *sides, double complex *matrix, const int *stride,
            double complex *right, const int *right_stride,
            double complex *work, const int *work_size, int *info,
            size_t transposed_length);

/* Room for work: more than any of them needs. */
static int work_room(size_t rows, size_t columns)
{
    return (int)(8 * (rows + columns) + 64);
}

bool dense_svd(size_t rows, size_t columns, double complex *matrix,
               double *singular, double complex *right)
{
    const int m = (int)rows, n = (int)columns, room = work_room(rows, columns);
    const int one = 1;
    int info = 0;
    double complex none, *work = need_memory((size_t)room, sizeof *work);
    double *real_work = need_memory(5 * columns + 1, sizeof *real_work);
    zgesvd_("O", "S", &m, &n, matrix, &m, singular, &none, &one, right, &n,
            work, &room, real_work, &info, 1, 1);
    memory_release(real_work);
    memory_release(work);
    return info == 0;
}

bool dense_eigen(size_t count, double complex *matrix, double complex *values,
                 double complex *vectors)
{
    const int n = (int)count, room = work_room(count, count), one = 1;
    int info = 0;
    if (!count)
        return true;
    double complex none, *work = need_memory((size_t)room, sizeof *work);
    double *real_work = need_memory(2 * count, sizeof *real_work);
    zgeev_("N", vectors ? "V" : "N", &n, matrix, &n, values, &none, &one,
           vectors ? vectors : &none, vectors ? &n : &one, work, &room,
           real_work, &info, 1, 1);
    memory_release(real_work);
    memory_release(work);
    return info == 0;
}

bool dense_fit(size_t rows, size_t columns, double complex *matrix,
               size_t sides, double complex *right)
{
    const int m = (int)rows, n = (int)columns, k = (int)sides;
    const int room = (int)(8 * (rows + columns + sides) + 64);
    int info = 0;
    double complex *work = need_memory((size_t)room, sizeof *work);
    zgels_("N", &m, &n, &k, matrix, &m, right, &m, work, &room, &info, 1);
    memory_release(work);
    return info == 0;
}

#else

bool dense_svd(size_t rows, size_t columns, double complex *matrix,
               double *singular, double complex *right)
{
    (void)rows, (void)columns, (void)matrix, (void)singular, (void)right;
    return false;
}

bool dense_eigen(size_t count, double complex *matrix, double complex *values,
                 double complex *vectors)
{
    (void)count, (void)matrix, (void)values, (void)vectors;
    return false;
}

bool dense_fit(size_t rows, size_t columns, double complex *matrix,
               size_t sides, double complex *right)
{
    (void)rows, (void)columns, (void)matrix, (void)sides, (void)right;
    return false;
}

#endif
