/* SPDX-License-Identifier: MIT */
/* The writer: the data read back equal the data written, and no failure loses a
 * committed row. This program's own pwrite replaces the system's, to stop,
 * truncate or reject the n-th write. */
#include "tests/recording/recording_run.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum trouble { NONE, TEAR, REFUSE, DRIBBLE, NO_ROOM };
static enum trouble trouble;
static long trouble_at;
static atomic_long writes_made;
static bool syncs_are_free, directories_refuse;

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    long now = writes_made++;
    if (trouble == TEAR && now == trouble_at) {
        syscall(SYS_pwrite64, fd, data, bytes / 2, offset);
        _exit(99);
    }
    if (trouble == REFUSE && now >= trouble_at) {
        errno = ENOSPC;
        return -1;
    }
    if (trouble == DRIBBLE && now % 3 == 0) {
        errno = EINTR;
        return -1;
    }
    if (trouble == DRIBBLE)
        bytes = bytes / 2 + 1 < bytes ? bytes / 2 + 1 : bytes;
    return syscall(SYS_pwrite64, fd, data, bytes, offset);
}

int fdatasync(int fd)
{
    return syncs_are_free ? 0 : (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
    struct stat about;
    if (directories_refuse && fstat(fd, &about) == 0 &&
        S_ISDIR(about.st_mode)) {
        errno = EIO;
        return -1;
    }
    return syncs_are_free ? 0 : (int)syscall(SYS_fsync, fd);
}

int posix_fallocate(int fd, off_t offset, off_t bytes)
{
    if (trouble == NO_ROOM)
        return ENOSPC;
    return syscall(SYS_fallocate, fd, 0, offset, bytes) == 0 ? 0 : errno;
}

static struct folder folder;
enum { TWINS_MOST = 4 };
static struct run run, twins[TWINS_MOST];
static bool overlapped;
static struct recording *recording;
static struct recorder *recorder;
static struct error error;

static void set_up(void)
{
    syncs_are_free = true;
    folder_make(&folder);
    run_init(&run, 2, TYPE_FLOAT32, false, 1);
}

static void tear_down(void)
{
    trouble = NONE;
    run_release(&run);
    folder_remove(&folder);
}

static void open_and_check(int64_t rows, enum run_state state)
{
    ck_assert_msg(!recording_open(folder.file, &recording, &error), "%s",
                  error.message);
    ck_assert_int_eq(recording_rows(recording), rows);
    ck_assert_int_eq(recording_state(recording), state);
    run_check_rows(&run, recording);
    run_check_tables(&run, recording);
    recording_close(recording);
}

START_TEST(every_variable_is_read_back_in_each_shape_and_precision)
    {
        static const int dims[] = { 2, 3 };
        static const enum element_type reals[] = { TYPE_FLOAT32, TYPE_FLOAT64 };
        static const int64_t every[] = { 1, 3 };
        run_release(&run);
        run_init(&run, dims[_i & 1], reals[_i >> 1 & 1], _i >> 2 & 1,
                 every[_i >> 3]);
        run_record(&run, folder.file, run_rows(&run), RUN_DONE);
        open_and_check(run_rows(&run), RUN_DONE);
        ck_assert_int_eq(folder_files(&folder, false), 1);
    }
END_TEST

START_TEST(the_planned_bytes_equal_the_files_within_a_few_pages)
    {
        uint64_t bytes;
        struct stat about;
        run.plan.steps = 4000;
        ck_assert_int_eq(recording_plan_bytes(&run.plan, &bytes, &error),
                         STATUS_OK);
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_OK);
        ck_assert_int_eq(stat(folder.file, &about), 0);
        ck_assert_uint_ge(bytes, (uint64_t)about.st_size);
        ck_assert_uint_le(bytes, (uint64_t)about.st_size + 40 * 4096);
        ck_assert_int_ge(about.st_blocks * 512, about.st_size);
        recorder_abandon(recorder);
    }
END_TEST

START_TEST(a_run_that_ends_early_leaves_no_phantom_rows)
    {
        run_record(&run, folder.file, 7, RUN_STOPPED);
        open_and_check(7, RUN_STOPPED);
        ck_assert_int_eq(recording_open(folder.file, &recording, &error), 0);
        ck_assert_int_eq(recording_find(recording, "wave0")->extent[0], 7);
        ck_assert_int_eq(recording_find(recording, "time")->extent[0], 7);
        ck_assert_int_eq(recording_find(recording, "plans/x")->extent[0],
                         7 + 3 + 3);
        recording_close(recording);
        ck_assert_int_eq(folder_files(&folder, false), 1);
    }
END_TEST

/* Every fifth step and the last: steps 0, 5, 10 and 12. */
START_TEST(a_last_row_off_the_grid_counts_but_not_in_the_state)
    {
        struct resumption *found;
        unsigned char state[RUN_RESTART_BYTES];
        run_release(&run);
        run_init(&run, 2, TYPE_FLOAT32, false, 5);
        run_record(&run, folder.file, 4, RUN_DONE);
        ck_assert_int_eq(recording_open(folder.file, &recording, &error), 0);
        ck_assert_int_eq(recording_rows(recording), 4);
        ck_assert_int_eq(recording_steps(recording)[3], 12);
        recording_close(recording);
        ck_assert_msg(
            !recorder_find(folder.file, &run.plan, state, &found, &error), "%s",
            error.message);
        ck_assert_int_eq(resumption_rows(found), 3);
        resumption_release(found);
    }
END_TEST

START_TEST(without_room_for_the_shorter_file_the_longer_one_is_kept)
    {
        char note[ERROR_MESSAGE_SIZE];
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_OK);
        ck_assert_int_eq(run_go(&run, recorder, 0, 6, 5, NULL, &error),
                         STATUS_OK);
        trouble = NO_ROOM;
        ck_assert_int_eq(recorder_close(recorder, RUN_STOPPED, note, &error),
                         STATUS_OK);
        ck_assert_ptr_nonnull(
            strstr(note, "still has the size of all 13 rows"));
        ck_assert_int_eq(folder_files(&folder, false), 1);
        open_and_check(6, RUN_STOPPED);
    }
END_TEST

START_TEST(a_disk_too_small_is_reported_before_the_first_frame)
    {
        trouble = NO_ROOM;
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_DISK);
        ck_assert_ptr_nonnull(strstr(error.message, "No space left"));
        ck_assert_int_eq(folder_files(&folder, false), 0);
    }
END_TEST

START_TEST(a_file_size_limit_is_reported_and_leaves_no_file)
    {
        struct rlimit limit = { 20000, 20000 };
        signal(SIGXFSZ, SIG_IGN);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_DISK);
        ck_assert_int_eq(folder_files(&folder, false), 0);
    }
END_TEST

START_TEST(an_existing_file_is_replaced_only_with_force)
    {
        run_record(&run, folder.file, 13, RUN_DONE);
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "exists already"));
        open_and_check(13, RUN_DONE);
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, true, &recorder, &error),
            STATUS_OK);
        open_and_check(0, RUN_RUNNING);
        ck_assert_int_eq(folder_files(&folder, false), 1);
        recorder_abandon(recorder);
    }
END_TEST

START_TEST(a_recording_abandoned_before_its_first_commit_is_removed)
    {
        for (int64_t rows = 0; rows < 2; rows++) {
            ck_assert_int_eq(recorder_create(folder.file, &run.plan, false,
                                             &recorder, &error),
                             STATUS_OK);
            ck_assert_int_eq(run_go(&run, recorder, 0, rows, 1, NULL, &error),
                             STATUS_OK);
            recorder_abandon(recorder);
            ck_assert_int_eq(folder_files(&folder, false), (int)rows);
        }
        open_and_check(1, RUN_RUNNING);
    }
END_TEST

START_TEST(a_recording_whose_name_cannot_be_synced_is_removed)
    {
        for (int force = 0; force < 2; force++) {
            if (force)
                run_record(&run, folder.file, 3, RUN_DONE);
            directories_refuse = true;
            ck_assert_int_eq(recorder_create(folder.file, &run.plan, force,
                                             &recorder, &error),
                             STATUS_DISK);
            directories_refuse = false;
            ck_assert_ptr_nonnull(strstr(error.message, "cannot be synced"));
            ck_assert_int_eq(folder_files(&folder, false), 0);
        }
    }
END_TEST

START_TEST(a_second_writer_is_rejected_and_readers_are_not)
    {
        struct recorder *second;
        int64_t rows;
        unsigned char state[RUN_RESTART_BYTES];
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_OK);
        ck_assert_int_eq(run_go(&run, recorder, 0, 7, 5, NULL, &error),
                         STATUS_OK);
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, true, &second, &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "another program"));
        ck_assert_int_eq(
            run_resume(folder.file, &run.plan, &second, &rows, state, &error),
            STATUS_INPUT);
        open_and_check(7, RUN_RUNNING);
        ck_assert_int_eq(run_go(&run, recorder, 7, 13, 5, NULL, &error),
                         STATUS_OK);
        ck_assert_int_eq(recorder_close(recorder, RUN_DONE, NULL, &error),
                         STATUS_OK);
        open_and_check(13, RUN_DONE);
    }
END_TEST

START_TEST(paths_that_cannot_be_files_are_bad_input)
    {
        static const char *const places[] = { "/dev/full", "/proc/run.h5",
                                              "/nonexistent/run.h5", "/tmp" };
        ck_assert_int_eq(
            recorder_create(places[_i], &run.plan, true, &recorder, &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, places[_i]));
    }
END_TEST

START_TEST(short_and_interrupted_writes_are_continued)
    {
        trouble = DRIBBLE;
        run_record(&run, folder.file, 13, RUN_DONE);
        trouble = NONE;
        open_and_check(13, RUN_DONE);
    }
END_TEST

START_TEST(a_full_table_is_named_and_committed_data_are_kept)
    {
        run.plan.arrivals = 4;
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_OK);
        ck_assert_int_eq(run_go(&run, recorder, 0, 13, 2, NULL, &error),
                         STATUS_DISK);
        ck_assert_ptr_nonnull(strstr(error.message, "/arrivals is full at 4"));
        recorder_abandon(recorder);
        open_and_check(4, RUN_RUNNING);
    }
END_TEST

START_TEST(frames_out_of_order_are_rejected)
    {
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_OK);
        ck_assert_int_eq(run_row(&run, recorder, 1, &error), STATUS_FAILED);
        ck_assert_int_eq(run_terrain(&run, recorder, 1, &error), STATUS_FAILED);
        ck_assert_int_eq(run_commit(&run, recorder, 1, &error), STATUS_FAILED);
        open_and_check(0, RUN_RUNNING);
        recorder_abandon(recorder);
        ck_assert_int_eq(folder_files(&folder, false), 0);
    }
END_TEST

/* The run of a child in which write `at` fails; the last commit before is
 * passed through shared memory. True if the run was completed. */
static bool child_runs(enum trouble kind, long at, volatile int64_t *committed)
{
    *committed = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct error why;
        trouble = kind;
        trouble_at = at;
        writes_made = 0;
        enum status status =
            recorder_create(folder.file, &run.plan, true, &recorder, &why);
        if (!status && overlapped)
            status = recorder_overlap(recorder, (size_t)run.twins + 1, &why);
        if (!status)
            status = run_go(&run, recorder, 0, 6, 2, committed, &why);
        if (!status)
            status = recorder_close(recorder, RUN_STOPPED, NULL, &why);
        if (status && !strstr(why.message, folder.file))
            _exit(98);
        _exit((int)status);
    }
    int how;
    waitpid(child, &how, 0);
    ck_assert_msg(WIFEXITED(how), "write %ld", at);
    int code = WEXITSTATUS(how);
    if (code != 0)
        ck_assert_msg(code == (kind == TEAR ? 99 : STATUS_DISK),
                      "write %ld: exit %d", at, code);
    return code == 0;
}

/* Separate fields for rows that threads write while others are made. */
static void overlap(int count)
{
    overlapped = true;
    for (int i = 0; i < count; i++)
        run_init(&twins[i], 2, TYPE_FLOAT32, false, 1);
    run.twin = twins;
    run.twins = count;
}

static void overlap_end(void)
{
    for (int i = 0; i < run.twins; i++)
        run_release(&twins[i]);
}

START_TEST(background_threads_write_the_same_recording)
    {
        overlap(1 + _i % TWINS_MOST);
        run.plan.arrival = _i < TWINS_MOST;
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_OK);
        ck_assert_int_eq(
            recorder_overlap(recorder, (size_t)run.twins + 1, &error),
            STATUS_OK);
        ck_assert_msg(
            !run_go(&run, recorder, 0, 13, 2 * run.twins, NULL, &error), "%s",
            error.message);
        ck_assert_int_eq(recorder_close(recorder, RUN_DONE, NULL, &error),
                         STATUS_OK);
        open_and_check(13, RUN_DONE);
        overlap_end();
    }
END_TEST

/* Without threads; with threads; and without an arrival field to wait for, so
 * that commits are queued between rows. */
START_TEST(an_error_at_any_write_loses_no_committed_row)
    {
        static const enum trouble kinds[] = { TEAR, REFUSE };
        if (_i >> 1)
            overlap(_i >> 1 == 1 ? 1 : 3);
        run.plan.arrival = _i >> 1 != 2;
        volatile int64_t *committed =
            mmap(NULL, sizeof *committed, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        bool done = false;
        int opened = 0;
        /* Every write if there is time for it, else one in seven. */
        long step = suite_is_long() ? 1 : 7;
        for (long at = 0; !done; at += step) {
            folder_files(&folder, true);
            done = child_runs(kinds[_i & 1], at, committed);
            if (recording_open(folder.file, &recording, &error)) {
                ck_assert_int_eq(*committed, 0); /* not written yet */
                ck_assert_int_ne(access(folder.file, F_OK), 0);
                continue;
            }
            /* A commit may be on the disk although it was not reported. */
            /* A thread's commit is reported before it is on the disk: one
             * behind. */
            ck_assert_int_ge(recording_rows(recording),
                             *committed - (overlapped ? 2 : 0));
            ck_assert_int_le(recording_rows(recording), *committed + 2);
            run_check_rows(&run, recording);
            run_check_tables(&run, recording);
            recording_close(recording);
            opened++;
        }
        ck_assert_int_ge(opened, 20);
        if (overlapped)
            overlap_end();
        munmap((void *)(uintptr_t)committed, sizeof *committed);
    }
END_TEST

START_TEST(a_run_killed_at_any_moment_keeps_its_commits)
    {
        volatile int64_t *committed =
            mmap(NULL, sizeof *committed, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        run.plan.steps = 4000;
        run.plan.arrivals = run.plan.emissions = run.plan.plans = 4001;
        run.plan.plan_cells = 12000;
        *committed = 0;
        pid_t child = fork();
        if (child == 0) {
            if (recorder_create(folder.file, &run.plan, true, &recorder, NULL))
                _exit(1);
            _exit(run_go(&run, recorder, 0, 4001, 3, committed, NULL) != 0);
        }
        usleep((useconds_t)(20000 + 17001 * _i));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        if (recording_open(folder.file, &recording, &error) == STATUS_OK) {
            ck_assert_int_ge(recording_rows(recording), *committed);
            run_check_rows(&run, recording);
            run_check_tables(&run, recording);
            recording_close(recording);
        } else {
            ck_assert_int_eq(*committed, 0);
        }
        munmap((void *)(uintptr_t)committed, sizeof *committed);
    }
END_TEST

static char *file_bytes(const char *path, size_t *bytes)
{
    struct stat about;
    int fd = open(path, O_RDONLY);
    ck_assert_int_ge(fd, 0);
    fstat(fd, &about);
    *bytes = (size_t)about.st_size;
    char *data = memory_new(*bytes, 1);
    ck_assert_int_eq(read(fd, data, *bytes), about.st_size);
    close(fd);
    return data;
}

/* 0: killed after a commit; 1: stopped, and shortened; 2: done, then more
 * steps. The file equals that of an uninterrupted run byte for byte. 3 to 5:
 * the same with the former names of checksums, which are kept. */
START_TEST(a_resumed_run_is_the_file_of_one_that_never_stopped)
    {
        const int kind = _i % 3;
        const bool old_names = _i >= 3;
        char whole[128];
        unsigned char state[RUN_RESTART_BYTES], wanted[RUN_RESTART_BYTES];
        int64_t rows, until = kind == 2 ? 9 : 6;
        snprintf(whole, sizeof whole, "%s/whole.h5", folder.path);
        run_record(&run, whole, 13, RUN_DONE);
        if (kind == 2)
            run.plan.steps = 8;
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_OK);
        ck_assert_int_eq(run_go(&run, recorder, 0, until, 5, NULL, &error),
                         STATUS_OK);
        if (kind == 0) { /* data after a commit are ignored */
            ck_assert_int_eq(run_row(&run, recorder, until, &error), 0);
            ck_assert_int_eq(run_tables(&run, recorder, until, &error), 0);
            recorder_abandon(recorder);
        } else {
            ck_assert_int_eq(recorder_close(recorder,
                                            kind == 1 ? RUN_STOPPED : RUN_DONE,
                                            NULL, &error),
                             STATUS_OK);
        }
        run.plan.steps = 12;
        if (old_names) {
            run_old_names(whole);
            run_old_names(folder.file);
        }
        ck_assert_msg(!run_resume(folder.file, &run.plan, &recorder, &rows,
                                  state, &error),
                      "%s", error.message);
        ck_assert_int_eq(rows, until);
        run_state_bytes(until, wanted);
        ck_assert_mem_eq(state, wanted, sizeof wanted);
        ck_assert_int_eq(run_go(&run, recorder, rows, 10, 5, NULL, &error), 0);
        ck_assert_int_eq(run_go(&run, recorder, 10, 13, 5, NULL, &error), 0);
        ck_assert_int_eq(recorder_close(recorder, RUN_DONE, NULL, &error), 0);
        open_and_check(13, RUN_DONE);
        struct recording *once;
        ck_assert_int_eq(recording_open(folder.file, &recording, &error), 0);
        ck_assert_int_eq(recording_open(whole, &once, &error), 0);
        for (size_t i = 0; recording_variable(once, i); i++) {
            const struct variable *variable = recording_variable(once, i);
            size_t a, b;
            if (strncmp(variable->name, "restart/", 8) == 0 ||
                strcmp(variable->name, "status/sequence") == 0)
                continue; /* the number of commits differs */
            double *x = run_read(once, variable->name, 0, &a);
            double *y = run_read(recording, variable->name, 0, &b);
            ck_assert_uint_eq(a, b);
            ck_assert_msg(memcmp(x, y, a * sizeof *x) == 0, "%s",
                          variable->name);
            memory_release(x);
            memory_release(y);
        }
        recording_close(once);
        recording_close(recording);
    }
END_TEST

/* Overwrites a variable of the file, from `behind` bytes after its start. */
static void spoil(const char *name, off_t behind, const void *bytes,
                  size_t count)
{
    hid_t file = H5Fopen(folder.file, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t variable = H5Dopen2(file, name, H5P_DEFAULT);
    haddr_t offset = H5Dget_offset(variable);
    H5Dclose(variable);
    H5Fclose(file);
    int fd = open(folder.file, O_RDWR);
    ck_assert_int_eq(pwrite(fd, bytes, count, (off_t)offset + behind),
                     (ssize_t)count);
    close(fd);
}

/* The last of the commits 5, 10, 13 is rejected: its state is incomplete, or
 * its values in /status did not reach the disk, and then rows of tables may not
 * have either. */
START_TEST(an_incomplete_commit_falls_back_to_the_one_before)
    {
        unsigned char state[RUN_RESTART_BYTES], wanted[RUN_RESTART_BYTES];
        const int64_t before = 2;
        int64_t rows;
        run_record(&run, folder.file, 13, RUN_DONE);
        if (_i == 0) /* commits 1 and 3 are in this slot */
            spoil("restart/state1", 300, "torn", 4);
        else
            spoil("status/sequence", 0, &before, sizeof before);
        ck_assert_msg(!run_resume(folder.file, &run.plan, &recorder, &rows,
                                  state, &error),
                      "%s", error.message);
        ck_assert_int_eq(rows, 10);
        run_state_bytes(10, wanted);
        ck_assert_mem_eq(state, wanted, sizeof wanted);
        recorder_abandon(recorder);
    }
END_TEST

static void check_mark(const char *name, int64_t wanted)
{
    size_t count;
    double *value = run_read(recording, name, 0, &count);
    ck_assert_msg(value[0] == (double)wanted, "%s is %g, not %lld", name,
                  value[0], (long long)wanted);
    memory_release(value);
}

/* Resumes from the last commit but one: if any value of the last one remained,
 * a row or a slot of the next would count before it is written. */
START_TEST(data_after_the_resumed_state_are_not_counted)
    {
        unsigned char state[RUN_RESTART_BYTES];
        int64_t rows, cells = 0;
        run_record(&run, folder.file, 13, RUN_DONE);
        spoil("restart/state1", 300, "torn", 4);
        ck_assert_int_eq(
            run_resume(folder.file, &run.plan, &recorder, &rows, state, &error),
            STATUS_OK);
        recorder_abandon(recorder);
        open_and_check(10, RUN_RUNNING);
        ck_assert_int_eq(recording_open(folder.file, &recording, &error), 0);
        for (int64_t row = 0; row < rows; row++)
            cells += 1 + row % 3; /* as in run_tables */
        check_mark("status/state", RUN_RUNNING);
        check_mark("status/committed", 10);
        check_mark("status/sequence", 2);
        check_mark("status/arrivals", 10);
        check_mark("status/emissions", 10);
        check_mark("status/captures", 0);
        check_mark("status/plans", 10);
        check_mark("status/plan_cells", cells);
        recording_close(recording);
    }
END_TEST

/* Between its opening and its locking, another recording replaces one that is
 * to be resumed, or replaced. */
static const char *comes_between;

int flock(int fd, int operation)
{
    if (comes_between)
        ck_assert_int_eq(rename(comes_between, folder.file), 0);
    comes_between = NULL;
    return (int)syscall(SYS_flock, fd, operation);
}

START_TEST(a_file_replaced_before_its_lock_is_reported)
    {
        unsigned char state[RUN_RESTART_BYTES];
        char other[sizeof folder.file + 8];
        int64_t rows;
        snprintf(other, sizeof other, "%s.other", folder.file);
        run_record(&run, other, 8, RUN_STOPPED);
        run_record(&run, folder.file, 6, RUN_STOPPED);
        comes_between = other;
        ck_assert_int_eq(_i ? recorder_create(folder.file, &run.plan, true,
                                              &recorder, &error)
                            : run_resume(folder.file, &run.plan, &recorder,
                                         &rows, state, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "replaced meanwhile"));
        ck_assert_ptr_null(comes_between);
        open_and_check(8, RUN_STOPPED);
    }
END_TEST

START_TEST(another_runs_file_is_not_resumed)
    {
        unsigned char state[RUN_RESTART_BYTES];
        int64_t rows;
        run_record(&run, folder.file, 6, RUN_STOPPED);
        static const char *const expected[] = { "", "", "", "",
                                                "version of Hamon" };
        struct recording_plan plans[5];
        for (int i = 0; i < 5; i++)
            plans[i] = run.plan;
        plans[0].real = TYPE_FLOAT64;
        plans[1].gradient = false;
        plans[2].agents = 2;
        plans[3].steps = 4; /* fewer than are recorded */
        plans[4].restart_bytes -= 8;
        ck_assert_int_eq(run_resume(folder.file, &plans[_i], &recorder, &rows,
                                    state, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "cannot be resumed"));
        ck_assert_ptr_nonnull(strstr(error.message, expected[_i]));
        open_and_check(6, RUN_STOPPED);
    }
END_TEST

START_TEST(equal_runs_make_equal_files)
    {
        char other[128];
        size_t a, b;
        snprintf(other, sizeof other, "%s/other.h5", folder.path);
        run_record(&run, folder.file, 13, RUN_DONE);
        sleep(1); /* no times are stored in the files */
        run_record(&run, other, 13, RUN_DONE);
        char *first = file_bytes(folder.file, &a);
        char *second = file_bytes(other, &b);
        ck_assert_uint_eq(a, b);
        ck_assert_int_eq(memcmp(first, second, a), 0);
        memory_release(first);
        memory_release(second);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder");
    TCase *tests = tcase_create("recorder");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(
        tests, every_variable_is_read_back_in_each_shape_and_precision, 0, 16);
    tcase_add_test(tests, the_planned_bytes_equal_the_files_within_a_few_pages);
    tcase_add_test(tests, a_run_that_ends_early_leaves_no_phantom_rows);
    tcase_add_test(tests, a_last_row_off_the_grid_counts_but_not_in_the_state);
    tcase_add_test(tests,
                   without_room_for_the_shorter_file_the_longer_one_is_kept);
    tcase_add_test(tests, a_disk_too_small_is_reported_before_the_first_frame);
    tcase_add_test(tests, a_file_size_limit_is_reported_and_leaves_no_file);
    tcase_add_test(tests, an_existing_file_is_replaced_only_with_force);
    tcase_add_test(tests,
                   a_recording_abandoned_before_its_first_commit_is_removed);
    tcase_add_test(tests, a_recording_whose_name_cannot_be_synced_is_removed);
    tcase_add_test(tests, a_second_writer_is_rejected_and_readers_are_not);
    tcase_add_loop_test(tests, paths_that_cannot_be_files_are_bad_input, 0, 4);
    tcase_add_test(tests, short_and_interrupted_writes_are_continued);
    tcase_add_test(tests, a_full_table_is_named_and_committed_data_are_kept);
    tcase_add_test(tests, frames_out_of_order_are_rejected);
    tcase_add_loop_test(tests, background_threads_write_the_same_recording, 0,
                        2 * TWINS_MOST);
    tcase_add_loop_test(tests, an_error_at_any_write_loses_no_committed_row, 0,
                        6);
    tcase_add_loop_test(tests, a_run_killed_at_any_moment_keeps_its_commits, 0,
                        4);
    tcase_add_loop_test(tests, a_file_replaced_before_its_lock_is_reported, 0,
                        2);
    tcase_add_loop_test(
        tests, a_resumed_run_is_the_file_of_one_that_never_stopped, 0, 6);
    tcase_add_loop_test(
        tests, an_incomplete_commit_falls_back_to_the_one_before, 0, 2);
    tcase_add_test(tests, data_after_the_resumed_state_are_not_counted);
    tcase_add_loop_test(tests, another_runs_file_is_not_resumed, 0, 5);
    tcase_add_test(tests, equal_runs_make_equal_files);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
