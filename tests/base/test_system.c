/* SPDX-License-Identifier: MIT */
/* The fallbacks of base/system.c. This program has them in place of what
 * configure found, so the library in it calls them too. */
#define SYSTEM_WITHOUT
#include "base/system.c"

#include "base/disk.h"
#include "base/random.h"
#include "tests/suite.h"

#include <sys/stat.h>

enum { BYTES = 3 << 20 }; /* more than disk_copy reads at once */

static char folder[PATH_MAX];

static void make_folder(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/hamon-test.XXXXXX",
             parent && *parent ? parent : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void remove_folder(void)
{
    remove("new");
    remove("there");
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void holds(const char *path, const char *text)
{
    char read[32] = "";
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(read, sizeof read, file));
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_str_eq(read, text);
}

START_TEST(a_new_name_never_replaces_a_file)
    {
        write_text("new", "new");
        write_text("there", "old");
        ck_assert(!disk_move("new", "there", false));
        ck_assert_int_eq(errno, EEXIST);
        holds("new", "new");
        holds("there", "old");
        ck_assert_int_eq(remove("there"), 0);
        ck_assert(disk_move("new", "there", false));
        holds("there", "new");
        ck_assert_int_ne(access("new", F_OK), 0);
        ck_assert(!disk_move("new", "other", false));
        ck_assert_int_eq(errno, ENOENT);
        write_text("new", "newer");
        ck_assert(disk_move("new", "there", true));
        holds("there", "newer");
    }
END_TEST

START_TEST(a_nameless_file_is_in_no_folder)
    {
        struct stat about;
        ck_assert_int_eq(setenv("TMPDIR", folder, 1), 0);
        int fd = system_nameless_file();
        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
        ck_assert_int_eq(fstat(fd, &about), 0);
        ck_assert_int_eq((int)about.st_nlink, 0);
        ck_assert(disk_write(fd, "words", 6, 3));
        char read[6];
        ck_assert(disk_read(fd, read, 6, 3));
        ck_assert_str_eq(read, "words");
        close(fd);
        ck_assert_int_eq(setenv("TMPDIR", "/nonexistent", 1), 0);
        ck_assert_int_eq(system_nameless_file(), -1);
        ck_assert_int_eq(errno, ENOENT);
        unsetenv("TMPDIR");
    }
END_TEST

START_TEST(a_copy_by_hand_has_every_byte)
    {
        struct random dice;
        random_seed(&dice, 20242021);
        uint64_t *in = calloc(2, BYTES), *out = in + BYTES / sizeof *in;
        for (size_t i = 0; i < BYTES / sizeof *in; i++)
            in[i] = random_next(&dice);
        int from = system_nameless_file(), to = system_nameless_file();
        ck_assert(disk_write(from, in, BYTES, 5));
        ck_assert_int_eq((int)system_copy_range(from, 5, to, 0, BYTES), -1);
        ck_assert(disk_copy(from, 5, to, 11, BYTES));
        system_begin_writeback(to);
        ck_assert(disk_read(to, out, BYTES, 11));
        ck_assert_mem_eq(in, out, BYTES);
        ck_assert(!system_reserve_ahead(to, 4096));
        ck_assert_int_eq(errno, EOPNOTSUPP);
        close(from);
        close(to);
        free(in);
    }
END_TEST

START_TEST(a_program_is_found_by_its_name_as_a_shell_does)
    {
        char found[PATH_MAX], own[PATH_MAX], places[PATH_MAX + 32];
        ck_assert(system_program(own));
        ck_assert(find_program(own, found));
        ck_assert_str_eq(found, own);
        write_text("there", "#!/bin/sh\n");
        char path[PATH_MAX + 8];
        snprintf(path, sizeof path, "%s/there", folder);
        snprintf(places, sizeof places, "/nonexistent:%s:/bin", folder);
        ck_assert_int_eq(setenv("PATH", places, 1), 0);
        ck_assert(!find_program("there", found)); /* no program yet */
        ck_assert_int_eq(errno, ENOENT);
        ck_assert_int_eq(chmod("there", 0755), 0);
        ck_assert(find_program("there", found));
        ck_assert_str_eq(found, path);
        ck_assert_int_eq(setenv("PATH", "/nonexistent:", 1), 0);
        ck_assert(find_program("there", found)); /* "" is this folder */
        ck_assert_str_eq(found, path);
        ck_assert(find_program("./there", found));
        ck_assert_str_eq(found, path);
        ck_assert(!find_program("./nosuch", found));
        unsetenv("PATH");
        ck_assert(!find_program("there", found));
    }
END_TEST

static int by_value(const void *a, const void *b, void *context)
{
    const double *p = a, *q = b;
    ++*(int *)context;
    return (*p > *q) - (*p < *q);
}

static int plain_by_value(const void *a, const void *b)
{
    int compared = 0;
    return by_value(a, b, &compared);
}

START_TEST(any_number_of_items_is_sorted_as_by_qsort)
    {
        enum { MOST = 40 };
        struct random dice;
        random_seed(&dice, 5);
        for (size_t count = 0; count <= MOST; count++) {
            double items[MOST + 1][3], sorted[MOST + 1][3];
            int compared = 0;
            for (size_t i = 0; i <= MOST; i++)
                for (int k = 0; k < 3; k++)
                    items[i][k] = random_unit(&dice);
            memcpy(sorted, items, sizeof items);
            qsort(sorted, count, sizeof *sorted, plain_by_value);
            system_sort(items, count, sizeof *items, by_value, &compared);
            ck_assert_mem_eq(items, sorted, sizeof items);
            ck_assert_int_eq(compared > 0, count > 1);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("system");
    TCase *files = tcase_create("files");
    TCase *order = tcase_create("order");
    tcase_add_checked_fixture(files, make_folder, remove_folder);
    tcase_add_test(files, a_new_name_never_replaces_a_file);
    tcase_add_test(files, a_nameless_file_is_in_no_folder);
    tcase_add_test(files, a_copy_by_hand_has_every_byte);
    tcase_add_test(files, a_program_is_found_by_its_name_as_a_shell_does);
    tcase_add_test(order, any_number_of_items_is_sorted_as_by_qsort);
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, order);
    return suite_main(suite);
}
