/* SPDX-License-Identifier: MIT */
#include "base/allocation.h"
#include "base/crc32c.h"
#include "base/disk.h"
#include "base/memory.h"
#include "base/natural.h"
#include "base/random.h"
#include "base/sha256.h"
#include "base/status.h"
#include "base/team.h"
#include "base/utf8.h"
#include "base/worker.h"
#include "tests/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(errors_name_the_place_and_escape_control_characters)
    {
        struct error error;
        ck_assert_int_eq(
            error_at(&error, STATUS_INPUT, "a\033b.cfg", 7, "steps: %d\n", -3),
            STATUS_INPUT);
        ck_assert_str_eq(error.message, "a\\x1bb.cfg:7: steps: -3\\x0a");
        ck_assert_int_eq(error_set(NULL, STATUS_FAILED, "x"), STATUS_FAILED);
    }
END_TEST

START_TEST(no_error_is_ok)
    {
        struct error error;
        enum status ok = STATUS_OK;
        ck_assert_int_eq(error_set(&error, ok, "x"), STATUS_FAILED);
        ck_assert_int_eq(error.status, STATUS_FAILED);
        ck_assert_int_eq(error_set(NULL, ok, "x"), STATUS_FAILED);
        ck_assert_int_eq(error_at(&error, ok, "a", 1, "x"), STATUS_FAILED);
        ck_assert_int_eq(error_at(NULL, ok, "a", 1, "x"), STATUS_FAILED);
        errno = ENOENT;
        ck_assert_int_eq(error_system(&error, ok, "x"), STATUS_FAILED);
        ck_assert_int_eq(error_system(NULL, ok, "x"), STATUS_FAILED);
    }
END_TEST

START_TEST(bytes_that_move_a_cursor_are_escaped)
    {
        static const struct {
            const char *text, *shown;
        } cases[] = {
            { "plain ~ text", "plain ~ text" },
            { "\x1b[31m\n\x7f", "\\x1b[31m\\x0a\\x7f" },
            { "\xe6\xb3\xa2\xe7\xb4\x8b \xf0\x9f\x8c\x8a",
              "\xe6\xb3\xa2\xe7\xb4\x8b \xf0\x9f\x8c\x8a" },
            { "\xc2\x9b_\xc2\xa0", "\\xc2\\x9b_\xc2\xa0" }, /* CSI; a space */
            { "\x9b_\xe6\xb3", "\\x9b_\\xe6\\xb3" },        /* not UTF-8 */
            { "\xe2\x80\xaexe\xe2\x80\xa8", /* right to left; a line */
              "\\xe2\\x80\\xaexe\\xe2\\x80\\xa8" },
            { "\xe2\x81\xa6\xe2\x81\xaa", "\\xe2\\x81\\xa6\xe2\x81\xaa" },
            /* a mark that some words need */
            { "\xe2\x80\x8f", "\xe2\x80\x8f" },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char *shown = NULL;
            size_t bytes;
            FILE *file = open_memstream(&shown, &bytes);
            utf8_show(file, cases[i].text);
            fclose(file);
            ck_assert_str_eq(shown, cases[i].shown);
            free(shown);
            struct error error;
            error_set(&error, STATUS_INPUT, "%s", cases[i].text);
            ck_assert_str_eq(error.message, cases[i].shown);
        }
    }
END_TEST

START_TEST(a_long_error_ends_with_a_whole_character)
    {
        struct error error;
        char text[2 * ERROR_MESSAGE_SIZE];
        for (size_t i = 0; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\xe6\xb3\xa2", 4);
        for (int from = 0; from < 3; from++) {
            error_set(&error, STATUS_INPUT, "%.*s%s", from, "ab", text);
            size_t length = strlen(error.message);
            ck_assert_uint_lt(length, sizeof error.message);
            ck_assert_uint_gt(length, sizeof error.message - 24);
            for (const char *at = error.message; *at; at++)
                ck_assert((*at & 0x80) || *at >= ' ');
        }
    }
END_TEST

START_TEST(a_long_error_is_cut_not_overrun)
    {
        static char text[4 * ERROR_MESSAGE_SIZE];
        memset(text, '\001', sizeof text - 1);
        struct error error;
        error_set(&error, STATUS_FAILED, "%s", text);
        ck_assert_uint_lt(strlen(error.message), ERROR_MESSAGE_SIZE);
        ck_assert_int_eq(strncmp(error.message, "\\x01\\x01", 8), 0);
    }
END_TEST

START_TEST(a_full_disk_is_a_disk_error)
    {
        struct error error;
        errno = ENOSPC;
        ck_assert_int_eq(error_system(&error, STATUS_FAILED, "f.h5"),
                         STATUS_DISK);
        errno = ENOENT;
        ck_assert_int_eq(error_system(&error, STATUS_INPUT, "f.h5"),
                         STATUS_INPUT);
        ck_assert_str_eq(error.message, "f.h5: No such file or directory");
    }
END_TEST

START_TEST(sizes_that_overflow_are_rejected)
    {
        size_t product = 5;
        ck_assert(size_multiply(6, 7, &product));
        ck_assert_uint_eq(product, 42);
        ck_assert(!size_multiply(SIZE_MAX / 2, 3, &product));
        ck_assert_uint_eq(product, 42);
        ck_assert_ptr_null(memory_new(SIZE_MAX / 2, 3));
        ck_assert_ptr_null(memory_new(SIZE_MAX - 3, 1));
    }
END_TEST

START_TEST(memory_is_zeroed_aligned_and_keeps_its_content)
    {
        char *memory = memory_new(77, 1);
        for (int i = 0; i < 77; i++)
            ck_assert_int_eq(memory[i], 0);
        ck_assert_uint_eq((uintptr_t)memory % 64, 0);
        memory[76] = 9;
        memory = memory_grow(memory, 77, 1000, 1);
        ck_assert_int_eq(memory[76], 9);
        ck_assert_int_eq(memory[999], 0);
        memory_release(memory);
        memory_release(NULL);
    }
END_TEST

START_TEST(there_is_always_memory_for_one_item_more)
    {
        int *items = NULL, moves = 0;
        size_t room = 0;
        for (int count = 0; count < 5000; count++) {
            int *more = memory_more(items, (size_t)count, &room, sizeof *items);
            ck_assert_ptr_nonnull(more);
            ck_assert_uint_gt(room, (size_t)count);
            moves += more != items;
            items = more;
            items[count] = count;
        }
        for (int i = 0; i < 5000; i++)
            ck_assert_int_eq(items[i], i);
        ck_assert_int_le(moves, 8); /* twice the room each time */
        room = 7;
        ck_assert_ptr_null(memory_more(items, 7, &room, SIZE_MAX / 4));
        ck_assert_uint_eq(room, 7);
        memory_release(items);
    }
END_TEST

START_TEST(an_error_of_no_memory_is_the_same_everywhere)
    {
        struct error error, system;
        error_memory(&error);
        errno = ENOMEM;
        ck_assert_int_eq(error_system(&system, STATUS_DISK, "a.h5"),
                         STATUS_FAILED);
        ck_assert_str_eq(system.message, error.message);
        ck_assert_ptr_nonnull(
            strstr(error.message, "test_base: out of memory: "));
    }
END_TEST

#ifndef HAMON_SANITIZED
static size_t lacking;

static void note(size_t bytes)
{
    lacking = bytes;
}

/* The compiler must not know that it is too much. */
static volatile size_t far_too_much = SIZE_MAX / 2 - 7;

START_TEST(a_library_that_finds_no_memory_is_noticed)
    {
        const size_t bytes = far_too_much;
        void *memory = malloc(13);
        allocation_on_failure(note);
        ck_assert_ptr_null(malloc(bytes));
        ck_assert_uint_eq(lacking, bytes);
        ck_assert_ptr_null(calloc(1, bytes - 1));
        ck_assert_uint_eq(lacking, bytes - 1);
        ck_assert_ptr_null(calloc(3, bytes)); /* more than a size_t */
        ck_assert_uint_eq(lacking, SIZE_MAX);
        ck_assert_ptr_null(realloc(memory, bytes - 2));
        ck_assert_uint_eq(lacking, bytes - 2);
        ck_assert_ptr_null(aligned_alloc(64, (bytes - 3) / 64 * 64));
        ck_assert_uint_eq(lacking, (bytes - 3) / 64 * 64);
        void *aligned = NULL;
        ck_assert_int_eq(posix_memalign(&aligned, 64, bytes - 4), ENOMEM);
        ck_assert_uint_eq(lacking, bytes - 4);
        lacking = 0;
        ck_assert_int_eq(posix_memalign(&aligned, 3, 8), EINVAL);
        ck_assert_ptr_null(realloc(memory, 0)); /* that is free */
        /* our own calls handle NULL */
        ck_assert_ptr_null(memory_new(1, bytes));
        ck_assert_uint_eq(lacking, 0);
        allocation_on_failure(NULL);
    }
END_TEST
#endif

static bool is_there(const char *name)
{
    struct stat about;
    return stat(name, &about) == 0;
}

START_TEST(files_without_a_name_yet_are_removed_at_once)
    {
        enum { FILES = 4 };
        char folder[] = "/tmp/hamon-test-XXXXXX", path[64], moved[64];
        char *names[FILES];
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/a", folder);
        snprintf(moved, sizeof moved, "%s/moved", folder);
        for (int i = 0; i < FILES; i++) {
            int fd = disk_create(path, ".a.", &names[i]);
            ck_assert_int_ge(fd, 0);
            close(fd);
        }
        ck_assert(disk_move(names[0], moved, false));
        disk_discard(names[1]);
        ck_assert(!is_there(names[1]));
        disk_keep(names[2]);
        disk_discard_all();
        ck_assert(is_there(moved) && is_there(names[2]));
        ck_assert(!is_there(names[3]));
        int fd = open(moved, O_RDONLY);
        ck_assert(disk_provisional(moved, fd));
        close(fd);
        disk_discard_all();
        ck_assert(!is_there(moved));
        ck_assert_int_eq(unlink(names[2]), 0);
        ck_assert_int_eq(rmdir(folder), 0);
        for (int i = 0; i < FILES; i++)
            memory_release(names[i]);
    }
END_TEST

START_TEST(however_many_files_are_open_all_are_removed_at_once)
    {
        enum { FILES = 200 };
        char folder[] = "/tmp/hamon-test-XXXXXX", path[64];
        char *names[FILES];
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/a", folder);
        for (int i = 0; i < FILES; i++) {
            int fd = disk_create(path, ".a.", &names[i]);
            ck_assert_int_ge(fd, 0);
            close(fd);
        }
        disk_discard_all();
        ck_assert_int_eq(rmdir(folder), 0);
        for (int i = 0; i < FILES; i++) {
            disk_keep(names[i]);
            memory_release(names[i]);
        }
    }
END_TEST

START_TEST(another_file_at_the_name_is_not_removed)
    {
        char folder[] = "/tmp/hamon-test-XXXXXX", path[64], other[64];
        char *name;
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/a", folder);
        snprintf(other, sizeof other, "%s/other", folder);
        int fd = disk_create(path, ".a.", &name);
        int fd_other = open(other, O_WRONLY | O_CREAT, 0666);
        ck_assert(fd >= 0 && fd_other >= 0);
        ck_assert_int_eq(rename(other, name), 0);
        disk_discard_all();
        ck_assert(is_there(name));
        disk_discard(name);
        ck_assert(is_there(name));
        ck_assert_int_eq(unlink(name), 0);
        ck_assert_int_eq(rmdir(folder), 0);
        close(fd_other);
        close(fd);
        ck_assert(!disk_provisional(path, fd));
        ck_assert_int_eq(errno, EBADF);
        memory_release(name);
    }
END_TEST

/* Between a move and its discard another thread may open the next file. */
START_TEST(a_late_discard_does_not_remove_the_next_file)
    {
        char folder[] = "/tmp/hamon-test-XXXXXX", path[64];
        char *first, *next;
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/a", folder);
        int fd = disk_create(path, ".a.", &first);
        ck_assert_int_ge(fd, 0);
        ck_assert(disk_move(first, path, false));
        int fd_next = disk_create(path, ".a.", &next);
        ck_assert_int_ge(fd_next, 0);
        disk_discard(first);
        ck_assert(is_there(next));
        disk_discard(next);
        ck_assert_int_eq(unlink(path), 0);
        ck_assert_int_eq(rmdir(folder), 0);
        close(fd);
        close(fd_next);
        memory_release(first);
        memory_release(next);
    }
END_TEST

START_TEST(a_text_has_the_width_of_its_characters)
    {
        ck_assert_uint_eq(utf8_width("\u6ce2\u7d0b 2\u03c0\u00b0"), 8);
        ck_assert_uint_eq(utf8_width("a\xff\x01\u3042"), 1 + 4 + 4 + 2);
    }
END_TEST

START_TEST(a_copy_of_a_text_is_valid_and_has_whole_characters)
    {
        char copy[16];
        ck_assert_uint_eq(utf8_copy(copy, sizeof copy, "a\xff\u6ce2\xe6\xb3"),
                          1 + 3 + 3 + 3 + 3);
        ck_assert_str_eq(copy, "a\uFFFD\u6ce2\uFFFD\uFFFD");
        ck_assert_uint_eq(utf8_copy(copy, 7, "a\u6ce2\u7d0b"), 4);
        ck_assert_str_eq(copy, "a\u6ce2");
        ck_assert_uint_eq(utf8_copy(copy, 8, "a\u6ce2\u7d0b"), 7);
        ck_assert_uint_eq(utf8_copy(copy, 1, "a"), 0);
        ck_assert_str_eq(copy, "");
    }
END_TEST

/* The reference implementation's first outputs from state {1, 2, 3, 4}. */
START_TEST(random_numbers_are_xoshiro256starstar)
    {
        struct random random = { { 1, 2, 3, 4 } };
        ck_assert_uint_eq(random_next(&random), 11520);
        ck_assert_uint_eq(random_next(&random), 0);
        ck_assert_uint_eq(random_next(&random), 1509978240);
        ck_assert_uint_eq(random_next(&random), 1215971899390074240);
    }
END_TEST

START_TEST(random_numbers_are_bounded_and_repeat_from_a_saved_state)
    {
        struct random random, saved;
        random_seed(&random, 0);
        int counts[7] = { 0 };
        for (int i = 0; i < 70000; i++)
            counts[random_below(&random, 7)]++;
        for (int i = 0; i < 7; i++) /* 10000 ± 5 standard deviations */
            ck_assert_int_lt(abs(counts[i] - 10000), 463);
        saved = random;
        double first = random_unit(&random);
        ck_assert(first >= 0 && first < 1);
        ck_assert_double_eq(first, random_unit(&saved));
    }
END_TEST

START_TEST(each_consumer_of_a_seed_has_its_own_stream)
    {
        static const char *const keys[][2] = {
            { "ties", "A" }, { "goals", "A" }, { "ties", "B" },
            { "tie", "sA" }, { "tiesA", "" },  { "", "tiesA" },
        };
        enum { KEYS = 6, SEEDS = 3, STREAMS = KEYS * SEEDS };
        uint64_t first[STREAMS];
        struct random random, again;
        for (int i = 0; i < STREAMS; i++) {
            const char *const *key = keys[i % KEYS];
            random_stream(&random, (uint64_t)(i / KEYS), key[0], key[1]);
            random_stream(&again, (uint64_t)(i / KEYS), key[0], key[1]);
            ck_assert_mem_eq(&random, &again, sizeof random);
            first[i] = random_next(&random);
            for (int before = 0; before < i; before++)
                ck_assert_uint_ne(first[i], first[before]);
        }
        int counts[7] = { 0 }; /* the first draws of many are even, too */
        for (uint64_t seed = 0; seed < 70000; seed++) {
            random_stream(&random, seed, "start", "A");
            counts[random_below(&random, 7)]++;
        }
        for (int i = 0; i < 7; i++)
            ck_assert_int_lt(abs(counts[i] - 10000), 463);
    }
END_TEST

/* FIPS 180-4's own examples, and lengths just below and above a block, compared
 * with sha256sum of so many letters a. */
START_TEST(sha256_gives_the_published_values)
    {
        static const struct {
            const char *text, *sum;
            size_t times;
        } cases[] = {
            { "abc",
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a"
              "d",
              1 },
            { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c"
              "1",
              1 },
            { "a",
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85"
              "5",
              0 },
            { "a",
              "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f73431"
              "8",
              55 },
            { "a",
              "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738"
              "a",
              56 },
            { "a",
              "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668e"
              "b",
              64 },
            { "a",
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd"
              "0",
              1000000 },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct sha256 sum;
            char text[SHA256_TEXT];
            sha256_start(&sum);
            for (size_t k = 0; k < cases[i].times; k++)
                sha256_add(&sum, cases[i].text, strlen(cases[i].text));
            sha256_end(&sum, text);
            ck_assert_str_eq(text, cases[i].sum);
        }
    }
END_TEST

START_TEST(crc32c_gives_the_published_values)
    {
        unsigned char bytes[32];
        ck_assert_uint_eq(crc32c(0, "123456789", 9), 0xe3069283);
        memset(bytes, 0, sizeof bytes);
        ck_assert_uint_eq(crc32c(0, bytes, 32), 0x8a9136aa);
        memset(bytes, 0xff, sizeof bytes);
        ck_assert_uint_eq(crc32c(0, bytes, 32), 0x62a8ab43);
        for (int i = 0; i < 32; i++)
            bytes[i] = (unsigned char)i;
        ck_assert_uint_eq(crc32c(0, bytes, 32), 0x46dd794e);
        ck_assert_uint_eq(crc32c(crc32c(0, bytes, 13), bytes + 13, 19),
                          0x46dd794e);
    }
END_TEST

/* Bit by bit, as in RFC 3720. */
static uint32_t crc_by_hand(const unsigned char *bytes, size_t count)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
    }
    return ~crc;
}

START_TEST(crc32c_of_any_length_and_place_is_that_of_the_polynomial)
    {
        enum { MOST = 40000 };
        static unsigned char bytes[MOST + 8];
        struct random dice;
        random_seed(&dice, 5);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)random_below(&dice, 256);
        for (int i = 0; i < 60; i++) {
            size_t from = random_below(&dice, 8);
            size_t count = random_below(&dice, MOST);
            size_t half = random_below(&dice, count + 1);
            uint32_t expected = crc_by_hand(bytes + from, count);
            ck_assert_uint_eq(crc32c(0, bytes + from, count), expected);
            uint32_t crc = crc32c(0, bytes + from, half);
            ck_assert_uint_eq(crc32c(crc, bytes + from + half, count - half),
                              expected);
        }
    }
END_TEST

static void add_one(void *context)
{
    ++*(int *)context;
}

struct gate {
    struct worker *worker;
    pthread_mutex_t mutex;
};

static void wait_at_gate(void *context)
{
    struct gate *gate = context;
    pthread_mutex_lock(&gate->mutex);
    pthread_mutex_unlock(&gate->mutex);
}

START_TEST(a_busy_worker_takes_no_offer)
    {
        struct gate gate = { .mutex = PTHREAD_MUTEX_INITIALIZER };
        int sum = 0;
        ck_assert_int_eq(worker_new(&gate.worker, NULL), STATUS_OK);
        ck_assert(worker_idle(gate.worker));
        pthread_mutex_lock(&gate.mutex);
        ck_assert(worker_offer(gate.worker, wait_at_gate, &gate));
        ck_assert(!worker_idle(gate.worker));
        ck_assert(!worker_offer(gate.worker, add_one, &sum));
        pthread_mutex_unlock(&gate.mutex);
        worker_wait(gate.worker);
        ck_assert(worker_idle(gate.worker));
        ck_assert(worker_offer(gate.worker, add_one, &sum));
        worker_release(gate.worker);
        ck_assert_int_eq(sum, 1);
    }
END_TEST

START_TEST(work_is_done_one_after_another)
    {
        struct worker *worker;
        int sum = 0;
        ck_assert_int_eq(worker_new(&worker, NULL), STATUS_OK);
        worker_wait(worker);
        for (int i = 0; i < 1000; i++)
            worker_send(worker, add_one, &sum);
        worker_wait(worker);
        ck_assert_int_eq(sum, 1000);
        worker_send(worker, add_one, &sum);
        worker_release(worker);
        ck_assert_int_eq(sum, 1001);
        worker_wait(NULL);
        worker_release(NULL);
    }
END_TEST

enum { ITEMS = 1000 };
struct tally {
    int visits[ITEMS];
};

static void visit(void *context, int thread, int threads)
{
    struct tally *tally = context;
    size_t first, last;
    team_share(ITEMS, thread, threads, &first, &last);
    for (size_t i = first; i < last; i++)
        tally->visits[i]++;
}

START_TEST(processors_are_those_a_process_may_run_on)
    {
        cpu_set_t all, one;
        ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
        ck_assert_int_eq(team_processors(), CPU_COUNT(&all));
        int first = 0;
        while (!CPU_ISSET(first, &all))
            first++;
        CPU_ZERO(&one);
        CPU_SET(first, &one);
        ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
        ck_assert_int_eq(team_processors(), 1);
        ck_assert_int_eq(sched_setaffinity(0, sizeof all, &all), 0);
    }
END_TEST

START_TEST(a_team_does_every_share_once_each_round)
    {
        int threads = _i;
        struct team *team;
        struct error error;
        ck_assert_int_eq(team_new(threads, true, &team, &error), STATUS_OK);
        struct tally tally = { { 0 } };
        for (int round = 0; round < 50; round++)
            team_run(team, visit, &tally);
        for (int i = 0; i < ITEMS; i++)
            ck_assert_int_eq(tally.visits[i], 50);
        team_release(team);
    }
END_TEST

START_TEST(shares_differ_by_one_at_most)
    {
        for (size_t count = 0; count < 20; count++)
            for (int threads = 1; threads < 9; threads++) {
                size_t expected = 0, first, last;
                for (int thread = 0; thread < threads; thread++) {
                    team_share(count, thread, threads, &first, &last);
                    ck_assert_uint_eq(first, expected);
                    ck_assert_uint_le(last - first,
                                      count / (size_t)threads + 1);
                    ck_assert_uint_ge(last - first, count / (size_t)threads);
                    expected = last;
                }
                ck_assert_uint_eq(expected, count);
            }
    }
END_TEST

static void halve_smallest(void *context, int thread, int threads)
{
    volatile float *smallest = context;
    smallest[thread] = smallest[thread] * 0.5f;
}

START_TEST(denormals_are_flushed_in_every_member_and_not_outside)
    {
        for (int flush = 0; flush < 2; flush++) {
            volatile float values[2] = { 0x1p-126f, 0x1p-126f };
            struct team *team;
            struct error error;
            ck_assert_int_eq(team_new(2, flush, &team, &error), STATUS_OK);
            team_run(team, halve_smallest, (void *)(uintptr_t)values);
            for (int i = 0; i < 2; i++)
#if defined(__SSE2__) || defined(__aarch64__)
                ck_assert(values[i] == (flush ? 0 : 0x1p-127f));
#else
                ck_assert(values[i] == 0x1p-127f);
#endif
            volatile float outside = 0x1p-126f;
            outside = outside * 0.5f;
            ck_assert(outside == 0x1p-127f);
            team_release(team);
        }
    }
END_TEST

/* Work that never pays: a second part only waits. */
struct pieces {
    atomic_int done[2];
    int shared, alone;
};

static void count_piece(void *context, int part, int parts)
{
    struct pieces *pieces = context;
    atomic_fetch_add(&pieces->done[part], 1);
    if (part == 0)
        *(parts > 1 ? &pieces->shared : &pieces->alone) += 1;
    if (part == 1)
        usleep(300);
}

START_TEST(work_that_does_not_pay_is_done_by_one_thread)
    {
        struct team *team;
        struct error error;
        struct pieces pieces = { .shared = 0 };
        unsetenv("HAMON_THREADS");
        ck_assert_int_eq(team_worth(0, 4), 1);
        ck_assert_int_eq(team_worth(2 * CELLS_A_THREAD - 1, 4), 1);
        ck_assert_int_eq(team_worth(3 * CELLS_A_THREAD, 4), 3);
        ck_assert_int_eq(team_worth(99 * CELLS_A_THREAD, 4), 4);
        ck_assert_int_eq(team_new(2, true, &team, &error), STATUS_OK);
        for (int i = 0; i < 10; i++)
            team_step(team, CELLS_A_THREAD, count_piece, &pieces);
        ck_assert_int_eq(pieces.shared, 0); /* it is not even tried */
        for (int i = 0; i < 1000; i++)
            team_step(team, 2 * CELLS_A_THREAD, count_piece, &pieces);
        ck_assert_int_ge(pieces.shared, 1); /* it is tried */
        ck_assert_int_le(pieces.shared, 20);
        ck_assert_int_eq(atomic_load(&pieces.done[0]), 1010);
        ck_assert_int_eq(atomic_load(&pieces.done[1]), pieces.shared);
        setenv("HAMON_THREADS", "all", 1);
        team_release(team);
        ck_assert_int_eq(team_new(2, true, &team, &error), STATUS_OK);
        pieces.shared = 0;
        team_step(team, 1, count_piece, &pieces);
        ck_assert_int_eq(pieces.shared, 1);
        unsetenv("HAMON_THREADS");
        team_release(team);
    }
END_TEST

/* In their order. Texts on one line of the table differ only in numbers. */
static const struct ordered {
    const char *text;
    int line;
} ordered[] = {
    { "-10", 0 },         { "-2", 0 },          { "-.5", 0 },
    { "0", 0 },           { "1e-10", 0 },       { "1e-5", 0 },
    { ".25", 0 },         { "0.5", 0 },         { "2", 0 },
    { "10", 0 },          { "100.0", 0 },       { "1e3", 0 },
    { "[2, 5]", 1 },      { "[2, 35.5]", 1 },   { "[10, -1]", 1 },
    { "fixed, 2", 2 },    { "fixed, 10", 2 },   { "free, 1", 3 },
    { "r-2/run.h5", 4 },  { "r-10/run.h5", 4 }, { "r-10.h5", 5 },
    { "seed=2,w=10", 6 }, { "seed=10,w=2", 6 }, { "seed=10,w=10", 6 },
    { "x", 7 },
};

START_TEST(texts_are_ordered_by_the_numbers_in_them)
    {
        const int count = sizeof ordered / sizeof *ordered;
        for (int k = 0; k < count; k++) {
            int order = natural_compare(ordered[_i].text, ordered[k].text);
            bool words = natural_same_words(ordered[_i].text, ordered[k].text);
            if (ordered[_i].line == ordered[k].line)
                ck_assert_int_eq((order > 0) - (order < 0),
                                 (_i > k) - (_i < k));
            else
                ck_assert_int_eq(order<0, natural_compare(ordered[k].text,
                                                          ordered[_i].text)> 0);
            ck_assert_int_eq(words, ordered[_i].line == ordered[k].line);
            /* transitive */
            for (int m = 0; m < count; m++)
                if (order < 0 &&
                    natural_compare(ordered[k].text, ordered[m].text) < 0)
                    ck_assert_int_lt(
                        natural_compare(ordered[_i].text, ordered[m].text), 0);
        }
        ck_assert_int_lt(natural_compare("1", "1.0"), 0);
        ck_assert_int_eq(natural_compare("a1", "a1"), 0);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("base");
    TCase *tests = tcase_create("base");
    tcase_add_test(tests, errors_name_the_place_and_escape_control_characters);
    tcase_add_test(tests, no_error_is_ok);
    tcase_add_test(tests, bytes_that_move_a_cursor_are_escaped);
    tcase_add_test(tests, a_long_error_ends_with_a_whole_character);
    tcase_add_test(tests, a_long_error_is_cut_not_overrun);
    tcase_add_test(tests, a_full_disk_is_a_disk_error);
    tcase_add_test(tests, sizes_that_overflow_are_rejected);
    tcase_add_test(tests, memory_is_zeroed_aligned_and_keeps_its_content);
    tcase_add_test(tests, there_is_always_memory_for_one_item_more);
    tcase_add_test(tests, an_error_of_no_memory_is_the_same_everywhere);
#ifndef HAMON_SANITIZED
    tcase_add_test(tests, a_library_that_finds_no_memory_is_noticed);
#endif
    tcase_add_test(tests, files_without_a_name_yet_are_removed_at_once);
    tcase_add_test(tests, however_many_files_are_open_all_are_removed_at_once);
    tcase_add_test(tests, another_file_at_the_name_is_not_removed);
    tcase_add_test(tests, a_late_discard_does_not_remove_the_next_file);
    tcase_add_test(tests, a_text_has_the_width_of_its_characters);
    tcase_add_test(tests, a_copy_of_a_text_is_valid_and_has_whole_characters);
    tcase_add_test(tests, random_numbers_are_xoshiro256starstar);
    tcase_add_test(tests,
                   random_numbers_are_bounded_and_repeat_from_a_saved_state);
    tcase_add_test(tests, each_consumer_of_a_seed_has_its_own_stream);
    tcase_add_test(tests, sha256_gives_the_published_values);
    tcase_add_test(tests, crc32c_gives_the_published_values);
    tcase_add_test(tests,
                   crc32c_of_any_length_and_place_is_that_of_the_polynomial);
    tcase_add_test(tests, work_is_done_one_after_another);
    tcase_add_test(tests, a_busy_worker_takes_no_offer);
    tcase_add_loop_test(tests, a_team_does_every_share_once_each_round, 1, 6);
    tcase_add_test(tests, work_that_does_not_pay_is_done_by_one_thread);
    tcase_add_test(tests, processors_are_those_a_process_may_run_on);
    tcase_add_loop_test(tests, texts_are_ordered_by_the_numbers_in_them, 0,
                        sizeof ordered / sizeof *ordered);
    tcase_add_test(tests, shares_differ_by_one_at_most);
    tcase_add_test(tests,
                   denormals_are_flushed_in_every_member_and_not_outside);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
