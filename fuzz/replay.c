/* SPDX-License-Identifier: MIT */
/* replay FOLDER: runs a fuzz target over every file of its corpus, without a
 * fuzzer, as a test in TAP. */
#include "target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Reads the whole file into memory of exactly its size, so that a sanitizer
 * detects a read past its end. */
static uint8_t *file_bytes(const char *path, size_t *size)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &about) < 0 || !S_ISREG(about.st_mode)) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    *size = (size_t)about.st_size;
    uint8_t *bytes = malloc(*size);
    if ((*size > 0 && !bytes) || fread(bytes, 1, *size, file) != *size) {
        fprintf(stderr, "%s: cannot be read whole\n", path);
        exit(1);
    }
    fclose(file);
    return bytes;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int count, char **arguments)
{
    struct dirent **entries = NULL;
    if (count != 2)
        return 2;
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&count, &arguments);
    int files = scandir(arguments[1], &entries, is_shown, alphasort);
    if (files <= 0) {
        fprintf(stderr, "%s: no corpus\n", arguments[1]);
        return 1;
    }
    printf("1..%d\n", files);
    for (int i = 0; i < files; i++) {
        char path[4096];
        size_t size;
        snprintf(path, sizeof path, "%s/%s", arguments[1], entries[i]->d_name);
        uint8_t *bytes = file_bytes(path, &size);
        LLVMFuzzerTestOneInput(bytes, size);
        free(bytes);
        printf("ok %d - %s is read, or refused in one line\n", i + 1,
               entries[i]->d_name);
        fflush(stdout);
        free(entries[i]);
    }
    free(entries);
    return 0;
}
