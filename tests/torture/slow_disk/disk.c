/* Slow disk: a library to load before the C library of a program (LD_PRELOAD).
 *
 * Delays each sync, write and read of a file or folder below SLOW_DATA by the milliseconds in the file SLOW_DELAYS:
 * "SYNC WRITE READ". The file is read at each call, so that the delays can change while the program runs. Without the
 * file nothing is delayed. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { SYNC, WRITE, READ };

static const char *data, *delays_path;
static ssize_t (*real_read)(int, void *, size_t);

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* PostgreSQL overwrites its environment, so the values are copied. */
static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value ? strdup(value) : NULL;
}

__attribute__((constructor)) static void initialize(void) {
    data = variable("SLOW_DATA");
    delays_path = variable("SLOW_DELAYS");
    real_read = REAL(read);
}

static int is_below_data(int file) {
    struct stat found;
    char link[64], path[PATH_MAX];
    ssize_t length;
    if (!data || !delays_path || fstat(file, &found) || !(S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return !strncmp(path, data, strlen(data));
}

static long milliseconds(enum kind kind) {
    char text[64];
    long delays[3] = {0, 0, 0};
    int file = open(delays_path, O_RDONLY | O_CLOEXEC);
    ssize_t length;
    if (file < 0) return 0;
    length = real_read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    return sscanf(text, "%ld %ld %ld", &delays[SYNC], &delays[WRITE], &delays[READ]) == 3 ? delays[kind] : 0;
}

static void delay(int file, enum kind kind) {
    int saved = errno;
    long wait = is_below_data(file) ? milliseconds(kind) : 0;
    struct timespec left = {wait / 1000, wait % 1000 * 1000000};
    while (wait && nanosleep(&left, &left) && errno == EINTR) continue;
    errno = saved;
}

/* Functions are resolved at each call, which costs little compared with a delay of milliseconds. */
#define DELAYED(result, kind, name, parameters, ...)                                                                                      \
    result name parameters {                                                                                                               \
        delay(file, kind);                                                                                                                 \
        return REAL(name)(__VA_ARGS__);                                                                                                    \
    }

DELAYED(int, SYNC, fsync, (int file), file)
DELAYED(int, SYNC, fdatasync, (int file), file)
DELAYED(ssize_t, WRITE, write, (int file, const void *bytes, size_t count), file, bytes, count)
DELAYED(ssize_t, WRITE, writev, (int file, const struct iovec *parts, int count), file, parts, count)
DELAYED(ssize_t, WRITE, pwrite, (int file, const void *bytes, size_t count, off_t at), file, bytes, count, at)
DELAYED(ssize_t, WRITE, pwrite64, (int file, const void *bytes, size_t count, off64_t at), file, bytes, count, at)
DELAYED(ssize_t, WRITE, pwritev, (int file, const struct iovec *parts, int count, off_t at), file, parts, count, at)
DELAYED(ssize_t, READ, read, (int file, void *bytes, size_t count), file, bytes, count)
DELAYED(ssize_t, READ, pread, (int file, void *bytes, size_t count, off_t at), file, bytes, count, at)
DELAYED(ssize_t, READ, pread64, (int file, void *bytes, size_t count, off64_t at), file, bytes, count, at)
