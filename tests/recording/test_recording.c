/* SPDX-License-Identifier: MIT */
/* The reader: every change to a file is detected, and no file does harm. */
#include "tests/recording/recording_run.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <sys/stat.h>

static struct folder folder;
static struct run run;
static struct recording *recording;
static struct error error;

static void set_up(void)
{
    folder_make(&folder);
    run_init(&run, 2, TYPE_FLOAT32, true, 1);
    run_record(&run, folder.file, 13, RUN_DONE);
}

static void tear_down(void)
{
    run_release(&run);
    folder_remove(&folder);
}

/* A run that ends while its file is opened: `folder.file` is replaced before
 * the process that reads it is started; "" removes it. */
static const char *replaced_by;

pid_t fork(void)
{
    pid_t (*next)(void);
    *(void **)&next = dlsym(RTLD_NEXT, "fork");
    const char *by = replaced_by;
    replaced_by = NULL;
    if (by && *by)
        rename(by, folder.file);
    else if (by)
        unlink(folder.file);
    return next();
}

static void refused(const char *object, const char *why)
{
    ck_assert_int_eq(recording_open(folder.file, &recording, &error),
                     STATUS_INPUT);
    ck_assert_msg(
        strncmp(error.message, folder.file, strlen(folder.file)) == 0 &&
            strstr(error.message, object) && strstr(error.message, why),
        "%s", error.message);
}

static void opened(void)
{
    ck_assert_msg(!recording_open(folder.file, &recording, &error), "%s",
                  error.message);
}

START_TEST(a_recording_describes_its_run)
    {
        int64_t row;
        char text[16];
        opened();
        ck_assert_str_eq(recording_title(recording), "A run of known values");
        ck_assert_str_eq(recording_path(recording), folder.file);
        ck_assert_mem_eq(recording_grid(recording), &run.plan.grid,
                         sizeof run.plan.grid);
        struct box region = recording_region(recording);
        ck_assert_mem_eq(&region, &run.plan.region, sizeof region);
        ck_assert_int_eq(recording_waves(recording), RUN_WAVES);
        ck_assert_int_eq(recording_rows(recording), run_rows(&run));
        run_check_rows(&run, recording);
        run_check_tables(&run, recording);
        ck_assert_int_eq(recording_row_of(recording, 12, &row, &error), 0);
        ck_assert_int_eq(row, 12);
        ck_assert_int_eq(recording_row_of(recording, 13, &row, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "steps 0 to 12, every 1"));
        ck_assert_str_eq(recording_text(recording, "scenario"),
                         "steps = 12;\n");
        ck_assert_str_eq(recording_text(recording, "empty"), "");
        ck_assert_ptr_null(recording_text(recording, "host"));
        ck_assert_str_eq(recording_setting(recording, "wave.walls"), "fixed");
        ck_assert_double_eq(recording_setting_real(recording, "wave.delta", 9),
                            0.25);
        ck_assert_double_eq(recording_setting_real(recording, "wave.walls", 9),
                            9);
        ck_assert_double_eq(recording_setting_real(recording, "none", 9), 9);
        /* A single quote starts no text, and a line without = is not a setting.
         */
        ck_assert_str_eq(recording_setting(recording, "title"), "\"");
        ck_assert_str_eq(recording_setting(recording, "seed"), "7");
        ck_assert_ptr_null(recording_setting(recording, "no setting"));
        for (size_t a = 0; a < RUN_AGENTS; a++) {
            ck_assert_int_eq(recording_agent_text(recording, "agents/name", a,
                                                  text, sizeof text, &error),
                             STATUS_OK);
            ck_assert_str_eq(text, run_names[a]);
        }
        ck_assert_int_eq(recording_agent_text(recording, "agents/name", 3, text,
                                              sizeof text, &error),
                         STATUS_INPUT);
        recording_close(recording);
    }
END_TEST

START_TEST(terrain_of_a_region_is_whole_and_each_version_its_own)
    {
        size_t cells = grid_cells(&run.plan.grid);
        int8_t wall[77], one_way[77];
        double speed[77], cost[77];
        opened();
        for (int64_t step = 0; step < 13; step++)
            ck_assert_uint_eq(recording_version_at(recording, step), step >= 4);
        for (size_t version = 0; version < 2; version++) {
            static const char *const names[] = { "wall", "one_way", "speed",
                                                 "cost" };
            void *const fields[] = { wall, one_way, speed, cost };
            for (int i = 0; i < 4; i++)
                ck_assert_int_eq(recording_read_terrain(recording, names[i],
                                                        version, fields[i],
                                                        &error),
                                 STATUS_OK);
            for (size_t i = 0; i < cells; i++) {
                ck_assert_int_eq(wall[i], (i + version) % 3 == 0);
                ck_assert_int_eq(one_way[i], (int)((i + version) % 7));
                ck_assert_double_eq(speed[i],
                                    0.5 + (double)version + (double)i);
                ck_assert_double_eq(cost[i], 1);
            }
        }
        ck_assert_int_eq(
            recording_read_terrain(recording, "wall", 2, wall, &error),
            STATUS_INPUT);
        ck_assert_int_eq(
            recording_read_terrain(recording, "wave0", 0, wall, &error),
            STATUS_INPUT);
        recording_close(recording);
    }
END_TEST

START_TEST(first_arrivals_and_series_equal_the_recorded_values)
    {
        size_t count;
        double series[13];
        opened();
        double *arrival = run_read(recording, "wave1_arrival", 0, &count);
        for (size_t i = 0; i < count; i++) {
            size_t cell = run_cell(&run, i);
            ck_assert_double_eq(arrival[i], cell < 13 ? (double)cell : -1);
        }
        memory_release(arrival);
        ck_assert_int_eq(recording_read_series(
                             recording, recording_find(recording, "agents/y"),
                             2, series, &error),
                         STATUS_OK);
        for (int64_t row = 0; row < 13; row++)
            ck_assert_double_eq(series[row], run_value(11, 0, row, 2));
        ck_assert_int_eq(recording_read_series(
                             recording, recording_find(recording, "agents/y"),
                             3, series, &error),
                         STATUS_INPUT);
        recording_close(recording);
    }
END_TEST

static haddr_t offset_of(const char *name)
{
    hid_t file = H5Fopen(folder.file, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    haddr_t offset = H5Dget_offset(dataset);
    H5Dclose(dataset);
    H5Fclose(file);
    return offset;
}

static void overwrite(uint64_t offset, const void *data, size_t bytes)
{
    int fd = open(folder.file, O_RDWR);
    ck_assert_int_eq(pwrite(fd, data, bytes, (off_t)offset), (ssize_t)bytes);
    close(fd);
}

START_TEST(a_flipped_bit_in_any_row_is_detected)
    {
        static const char *const names[] = {
            "wave0", "wave1_grad_y", "agents/x", "agents/state", "target/y",
        };
        char wanted[64];
        const char *name = names[_i];
        opened();
        const struct variable *variable = recording_find(recording, name);
        size_t bytes =
            variable_elements(variable) * element_bytes(variable->type);
        double *values = memory_new(bytes, 8);
        for (int64_t row = 0; row < 13; row += 4) {
            uint64_t at = offset_of(name) + (uint64_t)row * bytes + bytes / 2;
            unsigned char was, flipped;
            int fd = open(folder.file, O_RDONLY);
            ck_assert_int_eq(pread(fd, &was, 1, (off_t)at), 1);
            close(fd);
            flipped = was ^ (unsigned char)(1 << row % 8);
            overwrite(at, &flipped, 1);
            ck_assert_int_eq(
                recording_read_real(recording, variable, row, values, &error),
                STATUS_INPUT);
            snprintf(wanted, sizeof wanted, "%s: row %lld is damaged", name,
                     (long long)row);
            ck_assert_ptr_nonnull(strstr(error.message, wanted));
            overwrite(at, &was, 1);
            ck_assert_int_eq(
                recording_read_real(recording, variable, row, values, &error),
                STATUS_OK);
        }
        memory_release(values);
        recording_close(recording);
    }
END_TEST

START_TEST(rows_past_the_commit_do_not_exist)
    {
        int64_t committed = 5;
        float row[64];
        overwrite(offset_of("status/committed"), &committed, sizeof committed);
        opened();
        ck_assert_int_eq(recording_rows(recording), 5);
        ck_assert_int_eq(recording_read(recording,
                                        recording_find(recording, "wave0"), 5,
                                        row, &error),
                         STATUS_INPUT);
        ck_assert_int_eq(recording_read(recording,
                                        recording_find(recording, "wave0"), -1,
                                        row, &error),
                         STATUS_INPUT);
        recording_close(recording);
    }
END_TEST

START_TEST(impossible_counts_and_axes_are_rejected)
    {
        static const struct {
            const char *name;
            int64_t whole;
            double real;
            const char *why;
        } bad[] = {
            { "status/committed", 14, 0, "more than there is room" },
            { "status/committed", -1, 0, "more than there is room" },
            { "status/committed", INT64_MAX, 0, "more than there is room" },
            { "status/state", 4, 0, "more than there is room" },
            { "status/arrivals", 31, 0, "more than there is room" },
            { "step", 0, 3, "rising order" },
            { "step", 0, NAN, "rising order" },
            { "step", 0, 0.5, "rising order" },
            { "step", 0, 1e300, "rising order" },
            { "cell_x", 0, NAN, "does not count cells" },
            { "cell_x", 0, -1, "does not count cells" },
            { "cell_y", 0, 7, "is not inside the map" },
            { "cell_y", 0, INFINITY, "does not count cells" },
            { "world/cell_x", 0, 1, "does not count cells" },
            { "version_step", 0, 2, "does not start at 0" },
        };
        const void *value = strncmp(bad[_i].name, "status", 6) == 0
                                ? (const void *)&bad[_i].whole
                                : (const void *)&bad[_i].real;
        overwrite(offset_of(bad[_i].name), value, 8);
        refused(bad[_i].name, bad[_i].why);
    }
END_TEST

/* The name of a setting, changed in the text. */
START_TEST(axes_without_their_scale_are_rejected)
    {
        static const char *const keys[] = { "scale.cell", "scale.step" };
        const struct recording_text *text = &run_texts[1];
        uint64_t at = (uint64_t)(strstr(text->text, keys[_i]) - text->text);
        overwrite(offset_of("provenance/parameters") + at, "S", 1);
        refused("provenance/parameters", "does not have the scale of the axes");
    }
END_TEST

START_TEST(a_file_that_is_replaced_while_it_is_opened_is_read_whole)
    {
        char ended[128];
        snprintf(ended, sizeof ended, "%s/ended.h5", folder.path);
        run_record(&run, ended, 8, RUN_STOPPED);
        for (int i = 0; i < 2; i++) {
            replaced_by = i == 0 ? ended : "";
            opened();
            ck_assert_ptr_null(replaced_by);
            ck_assert_int_eq(recording_rows(recording), i == 0 ? 13 : 8);
            run_check_rows(&run, recording);
            recording_close(recording);
        }
    }
END_TEST

START_TEST(a_file_that_is_not_a_recording_is_rejected)
    {
        static const char text[] = "wave0,1,2,3\n";
        char wanted[512];
        if (_i == 0) {
            overwrite(0, text, sizeof text);
        } else if (_i == 1) {
            ck_assert_int_eq(truncate(folder.file, 0), 0);
        } else if (_i == 2) {
            unlink(folder.file);
            ck_assert_int_eq(mkfifo(folder.file, 0600), 0);
        } else if (_i == 3) {
            snprintf(folder.file, sizeof folder.file, "%s", folder.path);
        } else if (_i == 4) {
            snprintf(folder.file, sizeof folder.file, "%s/none.h5",
                     folder.path);
            refused("none.h5", "No such file");
            return;
        } else {
            hid_t file =
                H5Fcreate(folder.file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
            H5Fclose(file);
        }
        snprintf(wanted, sizeof wanted, "%s: not a readable recording",
                 folder.file);
        refused(wanted, "");
    }
END_TEST

START_TEST(a_file_truncated_anywhere_is_rejected)
    {
        struct stat about;
        ck_assert_int_eq(stat(folder.file, &about), 0);
        for (off_t bytes = about.st_size - 1; bytes > 0;
             bytes -= about.st_size / 9) {
            ck_assert_int_eq(truncate(folder.file, bytes), 0);
            refused("not a readable recording", "");
        }
    }
END_TEST

/* Replaces a variable by something else. */
static void replace(const char *name, hid_t type, int rank,
                    const hsize_t *extent, hid_t list)
{
    hid_t file = H5Fopen(folder.file, H5F_ACC_RDWR, H5P_DEFAULT);
    ck_assert_int_ge(H5Ldelete(file, name, H5P_DEFAULT), 0);
    hid_t space =
        rank ? H5Screate_simple(rank, extent, NULL) : H5Screate(H5S_SCALAR);
    hid_t dataset =
        H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    ck_assert_int_ge(dataset, 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Fclose(file);
}

START_TEST(a_recording_from_before_quantities_is_read_without_them)
    {
        hid_t file = H5Fopen(folder.file, H5F_ACC_RDWR, H5P_DEFAULT);
        ck_assert_int_ge(H5Ldelete(file, "arrivals/quantity", H5P_DEFAULT), 0);
        H5Fclose(file);
        opened();
        ck_assert_ptr_null(recording_find(recording, "arrivals/quantity"));
        ck_assert_ptr_nonnull(recording_find(recording, "arrivals/amplitude"));
        recording_close(recording);
    }
END_TEST

START_TEST(a_recording_with_the_former_names_of_checksums_is_read_and_checked)
    {
        size_t count;
        run_old_names(folder.file);
        opened();
        ck_assert_ptr_nonnull(recording_find(recording, "crc/agents/x"));
        ck_assert_ptr_null(recording_find(recording, "crc/agents/crc_x"));
        run_check_rows(&run, recording);
        double *sums = run_read(recording, "crc/wave1", 0, &count);
        ck_assert_uint_eq(count, 13);
        memory_release(sums);
        recording_close(recording);
        hid_t file = H5Fopen(folder.file, H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t set = H5Dopen2(file, "crc/wave1", H5P_DEFAULT);
        const uint32_t wrong[13] = { 0 };
        H5Dwrite(set, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, wrong);
        H5Dclose(set);
        H5Fclose(file);
        opened();
        float row[7];
        ck_assert_int_eq(recording_read(recording,
                                        recording_find(recording, "wave1"), 5,
                                        row, &error),
                         STATUS_INPUT);
        recording_close(recording);
    }
END_TEST

static hid_t early(void)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    return list;
}

START_TEST(variables_of_another_kind_are_rejected)
    {
        static const hsize_t right[] = { 13, 1, 7 }, wrong[] = { 13, 2, 7 };
        static const hsize_t chunk[] = { 1, 1, 7 }, high[] = { 13, 1, 7, 1, 1 };
        static const hsize_t huge[] = { 1ULL << 40, 1ULL << 40, 1 };
        hid_t list = early(), compound, string;
        switch (_i) {
        case 0:
            replace("wave0", H5T_STD_I32LE, 3, right, list);
            refused("wave0", "wrong type");
            break;
        case 1:
            replace("wave0", H5T_IEEE_F32BE, 3, right, list);
            refused("wave0", "no recording has");
            break;
        case 2:
            replace("wave0", H5T_IEEE_F32LE, 3, wrong, list);
            refused("wave0", "extents");
            break;
        case 3:
            replace("wave0", H5T_IEEE_F32LE, 0, NULL, list);
            refused("wave0", "extents");
            break;
        case 4:
            replace("wave0", H5T_IEEE_F32LE, 5, high, list);
            refused("wave0", "rank");
            break;
        case 5:
            H5Pset_chunk(list, 3, chunk);
            replace("wave0", H5T_IEEE_F32LE, 3, right, list);
            refused("wave0", "not contiguous");
            break;
        case 6:
            H5Pset_external(list, "/etc/passwd", 0, H5F_UNLIMITED);
            replace("wave0", H5T_IEEE_F32LE, 3, right, list);
            refused("wave0", "another file");
            break;
        case 7:
            compound = H5Tcreate(H5T_COMPOUND, 8);
            H5Tinsert(compound, "a", 0, H5T_IEEE_F32LE);
            replace("agents/x", compound, 2, right, list);
            refused("agents/x", "type");
            break;
        case 8:
            string = H5Tcopy(H5T_C_S1);
            H5Tset_size(string, H5T_VARIABLE);
            replace("provenance/scenario", string, 1, right, list);
            refused("provenance/scenario", "type");
            break;
        case 9: /* not in the base, and without space */
            replace("wave0", H5T_IEEE_F32LE, 3, right, H5P_DEFAULT);
            refused("wave0", "not inside the file");
            break;
        case 10: /* extents whose product is 0 in 64 bits, and similar */
            replace("wave0_arrival", H5T_STD_I32LE, 2, huge, H5P_DEFAULT);
            refused("wave0_arrival", "extents");
            break;
        default:
            replace("time", H5T_IEEE_F64LE, 1, huge, H5P_DEFAULT);
            refused("not a readable recording", "rows");
            break;
        }
        H5Pclose(list);
    }
END_TEST

START_TEST(links_to_elsewhere_are_not_followed)
    {
        char other[128];
        snprintf(other, sizeof other, "%s/other.h5", folder.path);
        run_record(&run, other, 13, RUN_DONE);
        hid_t file = H5Fopen(folder.file, H5F_ACC_RDWR, H5P_DEFAULT);
        static const char *const names[] = { "wave0", "wave0", "agents",
                                             "agents" };
        const char *name = names[_i];
        H5Ldelete(file, name, H5P_DEFAULT);
        if (_i % 2)
            H5Lcreate_soft("/wave1", file, name, H5P_DEFAULT, H5P_DEFAULT);
        else
            H5Lcreate_external(other, name, file, name, H5P_DEFAULT,
                               H5P_DEFAULT);
        H5Fclose(file);
        refused(name, "only hard links");
    }
END_TEST

START_TEST(missing_and_stray_variables_are_rejected)
    {
        static const char *const names[] = { "x",
                                             "wave1_grad_y",
                                             "agents/name",
                                             "crc/crc_wave0",
                                             "status/committed",
                                             "world/y",
                                             "wall",
                                             "wave1" };
        hid_t file = H5Fopen(folder.file, H5F_ACC_RDWR, H5P_DEFAULT);
        H5Ldelete(file, names[_i], H5P_DEFAULT);
        H5Fclose(file);
        refused("not a readable recording", names[_i]);
    }
END_TEST

START_TEST(a_dataset_instead_of_a_group_and_the_reverse_are_rejected)
    {
        hid_t file = H5Fopen(folder.file, H5F_ACC_RDWR, H5P_DEFAULT);
        H5Ldelete(file, "wave0", H5P_DEFAULT);
        H5Gclose(
            H5Gcreate2(file, "wave0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Fclose(file);
        refused("wave0", "is not a dataset");
    }
END_TEST

/* HDF5 itself may crash on these; the caller does not, and what opens is read
 * within the file. */
START_TEST(damage_to_hdf5s_own_bytes_does_no_harm)
    {
        struct stat about;
        uint32_t seed = 12345;
        stat(folder.file, &about);
        for (int i = 0; i < 60; i++) {
            unsigned char was[4], bad[4];
            seed = seed * 1664525 + 1013904223;
            uint64_t at = seed % (uint32_t)(about.st_size - 4);
            seed = seed * 1664525 + 1013904223;
            memcpy(bad, &seed, 4);
            int fd = open(folder.file, O_RDWR);
            ck_assert_int_eq(pread(fd, was, 4, (off_t)at), 4);
            close(fd);
            overwrite(at, bad, 4);
            enum status status =
                recording_open(folder.file, &recording, &error);
            ck_assert(status == STATUS_OK || status == STATUS_INPUT);
            if (!status)
                recording_close(recording);
            overwrite(at, was, 4);
        }
        opened();
        recording_close(recording);
    }
END_TEST

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    Suite *suite = suite_create("recording");
    TCase *tests = tcase_create("recording");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_recording_describes_its_run);
    tcase_add_test(tests,
                   terrain_of_a_region_is_whole_and_each_version_its_own);
    tcase_add_test(tests, first_arrivals_and_series_equal_the_recorded_values);
    tcase_add_loop_test(tests, a_flipped_bit_in_any_row_is_detected, 0, 5);
    tcase_add_test(tests, rows_past_the_commit_do_not_exist);
    tcase_add_loop_test(tests, impossible_counts_and_axes_are_rejected, 0, 15);
    tcase_add_loop_test(tests, axes_without_their_scale_are_rejected, 0, 2);
    tcase_add_test(tests,
                   a_file_that_is_replaced_while_it_is_opened_is_read_whole);
    tcase_add_loop_test(tests, a_file_that_is_not_a_recording_is_rejected, 0,
                        6);
    tcase_add_test(tests, a_file_truncated_anywhere_is_rejected);
    tcase_add_test(tests,
                   a_recording_from_before_quantities_is_read_without_them);
    tcase_add_test(
        tests,
        a_recording_with_the_former_names_of_checksums_is_read_and_checked);
    tcase_add_loop_test(tests, variables_of_another_kind_are_rejected, 0, 12);
    tcase_add_loop_test(tests, links_to_elsewhere_are_not_followed, 0, 4);
    tcase_add_loop_test(tests, missing_and_stray_variables_are_rejected, 0, 8);
    tcase_add_test(tests,
                   a_dataset_instead_of_a_group_and_the_reverse_are_rejected);
    tcase_add_test(tests, damage_to_hdf5s_own_bytes_does_no_harm);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
