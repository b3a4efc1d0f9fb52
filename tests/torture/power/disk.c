/* Disk that loses unsynced data: a library to load before the C library of a program (LD_PRELOAD).
 *
 * The folder POWER_DURABLE contains the data that would be on the disk if the power failed now. `inodes/N` has the
 * synced content of the file with inode number N. `dirs/N` has the synced entries of a folder: files as hard links,
 * folders as symbolic links to a number. A sync updates this folder and returns without waiting for the machine's own
 * disk. A killed program therefore leaves everything that its completed syncs wrote, and possibly a part of the current
 * one, as a power failure does. POWER_DATA is the watched folder. A file whose name ends in POWER_UNSYNCED_SUFFIX is
 * never synced, although its syncs succeed.
 *
 * Memory maps are not watched: SQLite maps only its index of the log, which it can rebuild. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_FILES 4096
#define MAX_RANGES 8192

/* Ranges written to a file since its last sync; if there are too many, the whole file. */
struct dirty_file {
    ino_t file;
    size_t count;
    struct { off_t from, to; } ranges[MAX_RANGES];
};

static const char *data, *durable, *unsynced_suffix;
static struct dirty_file *dirty_files[MAX_FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void fail(const char *what) {
    fprintf(stderr, "power: can't %s: %s\n", what, strerror(errno));
    abort();
}

static void path_in(char *path, const char *format, ...) {
    va_list rest;
    int prefix_length = snprintf(path, PATH_MAX, "%s/", durable);
    va_start(rest, format);
    vsnprintf(path + prefix_length, PATH_MAX - prefix_length, format, rest);
    va_end(rest);
}

/* Returns true if a file is watched. */
static int is_watched(int file, struct stat *found, char *path) {
    char link[64];
    ssize_t length;
    if (!data || fstat(file, found) || !(S_ISREG(found->st_mode) || S_ISDIR(found->st_mode))) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return !strncmp(path, data, strlen(data));
}

/* Returns the entry of a file, and creates it if missing. Fails if the program has too many files. */
static struct dirty_file *dirty_file_for(ino_t file) {
    struct dirty_file **free_slot = NULL;
    for (size_t n = 0; n < MAX_FILES && dirty_files[n]; n++) {
        if (dirty_files[n]->file == file) return dirty_files[n];
        if (!dirty_files[n]->file && !free_slot) free_slot = &dirty_files[n];
    }
    for (size_t n = 0; n < MAX_FILES && !free_slot; n++) {
        if (!dirty_files[n]) free_slot = &dirty_files[n];
    }
    errno = ENFILE;
    if (!free_slot || (!*free_slot && !(*free_slot = calloc(1, sizeof **free_slot)))) fail("track another file");
    (*free_slot)->file = file;
    return *free_slot;
}

/* Forgets a deleted file, because its inode number may be reused. A name that is still on disk keeps its content. */
static void forget_file(ino_t file) {
    char path[PATH_MAX];
    struct dirty_file *gone = dirty_file_for(file);
    gone->count = 0;
    gone->file = 0;
    path_in(path, "inodes/%ju", (uintmax_t)file);
    unlink(path);
}

static void record_write(int file, off_t from, off_t to) {
    struct stat found;
    char path[PATH_MAX];
    struct dirty_file *entry;
    int saved = errno;
    if (is_watched(file, &found, path) && S_ISREG(found.st_mode)) {
        pthread_mutex_lock(&lock);
        entry = dirty_file_for(found.st_ino);
        if (entry->count && entry->ranges[entry->count - 1].to == from) {
            entry->ranges[entry->count - 1].to = to;
        } else if (entry->count < MAX_RANGES) {
            entry->ranges[entry->count].from = from;
            entry->ranges[entry->count++].to = to;
        } else {
            entry->count = 1;
            entry->ranges[0].from = 0;
            entry->ranges[0].to = INT64_MAX;
        }
        pthread_mutex_unlock(&lock);
    }
    errno = saved;
}

static void copy(int from, int to, off_t at, off_t end) {
    static char bytes[1 << 20];
    while (at < end) {
        size_t wanted = end - at < (off_t)sizeof bytes ? (size_t)(end - at) : sizeof bytes;
        ssize_t read = pread(from, bytes, wanted, at);
        if (read < 0) fail("read a file");
        if (read == 0) break;
        if (real_pwrite(to, bytes, read, at) != read) fail("write the durable copy of a file");
        at += read;
    }
}

/* Updates the durable copy of a file. The file isn't closed here, because that would drop SQLite's locks on it. */
static void sync_file(int file, const struct stat *found) {
    char path[PATH_MAX];
    struct dirty_file *entry;
    struct stat kept;
    int to, from = file, own = 0;
    if (!found->st_nlink) return;
    if ((fcntl(file, F_GETFL) & O_ACCMODE) == O_WRONLY) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        if ((from = own = open(path, O_RDONLY | O_CLOEXEC)) < 0) fail("read a file");
    }
    path_in(path, "inodes/%ju", (uintmax_t)found->st_ino);
    to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (to < 0 || fstat(to, &kept)) fail("write the durable copy of a file");
    entry = dirty_file_for(found->st_ino);
    if (!kept.st_size) copy(from, to, 0, found->st_size);
    for (size_t n = 0; n < entry->count; n++) copy(from, to, entry->ranges[n].from, entry->ranges[n].to);
    entry->count = 0;
    if (ftruncate(to, found->st_size)) fail("truncate the durable copy of a file");
    close(to);
    if (own) close(own);
}

/* Updates the durable copy of a folder: its names, not the content of its files. */
static void sync_dir(const char *of, ino_t number) {
    char dir[PATH_MAX], path[PATH_MAX], inode[PATH_MAX], spare[PATH_MAX], target[32], old[32];
    struct dirent *entry;
    struct stat found, kept;
    DIR *names;
    path_in(dir, "dirs/%ju", (uintmax_t)number);
    mkdir(dir, 0700);
    if (!(names = opendir(of))) return;
    while ((entry = readdir(names))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (fstatat(dirfd(names), entry->d_name, &found, AT_SYMLINK_NOFOLLOW)) continue;
        path_in(path, "dirs/%ju/%s", (uintmax_t)number, entry->d_name);
        if (S_ISDIR(found.st_mode)) {
            ssize_t length = readlink(path, old, sizeof old - 1);
            snprintf(target, sizeof target, "%ju", (uintmax_t)found.st_ino);
            if (length > 0 && (size_t)length == strlen(target) && !strncmp(old, target, length)) continue;
            unlink(path);
            if (symlink(target, path)) fail("record a folder");
        } else if (S_ISREG(found.st_mode)) {
            int made;
            path_in(inode, "inodes/%ju", (uintmax_t)found.st_ino);
            if ((made = open(inode, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) < 0 || fstat(made, &found)) fail("record a file");
            close(made);
            if (!lstat(path, &kept) && kept.st_ino == found.st_ino) continue;
            /* Replaced atomically: the old or the new name always exists. */
            path_in(spare, "spare");
            unlink(spare);
            if (link(inode, spare) || rename(spare, path)) fail("record a file name");
        }
    }
    closedir(names);
    if (!(names = opendir(dir))) fail("open the durable copy of a folder");
    while ((entry = readdir(names))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        snprintf(path, sizeof path, "%s/%s", of, entry->d_name);
        if (lstat(path, &found) && errno == ENOENT) unlinkat(dirfd(names), entry->d_name, 0);
    }
    closedir(names);
}

/* Copies all existing data. It counts as synced at the start. */
static void snapshot(const char *of) {
    char path[PATH_MAX];
    struct dirent *entry;
    struct stat found;
    DIR *names;
    if (stat(of, &found) || !(names = opendir(of))) fail("open the data folder");
    while ((entry = readdir(names))) {
        struct stat file;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        snprintf(path, sizeof path, "%s/%s", of, entry->d_name);
        if (lstat(path, &file)) continue;
        if (S_ISDIR(file.st_mode)) {
            snapshot(path);
        } else if (S_ISREG(file.st_mode)) {
            int open_file = open(path, O_RDONLY | O_CLOEXEC);
            if (open_file < 0) fail("open a data file");
            sync_file(open_file, &file);
            close(open_file);
        }
    }
    closedir(names);
    sync_dir(of, found.st_ino);
}

__attribute__((constructor)) static void initialize(void) {
    char path[PATH_MAX];
    real_write = REAL(write);
    real_pwrite = REAL(pwrite);
    durable = getenv("POWER_DURABLE");
    unsynced_suffix = getenv("POWER_UNSYNCED_SUFFIX");
    if (!durable) return;
    path_in(path, "inodes");
    if (mkdir(path, 0700)) fail("create a folder");
    path_in(path, "dirs");
    if (mkdir(path, 0700)) fail("create a folder");
    snapshot(getenv("POWER_DATA"));
    data = getenv("POWER_DATA");
}

static int sync_if_watched(int file) {
    struct stat found;
    char path[PATH_MAX];
    size_t length, suffix_length;
    if (!is_watched(file, &found, path)) return 0;
    length = strlen(path);
    suffix_length = unsynced_suffix ? strlen(unsynced_suffix) : 0;
    if (suffix_length && length >= suffix_length && !strcmp(path + length - suffix_length, unsynced_suffix)) return 1;
    pthread_mutex_lock(&lock);
    if (S_ISDIR(found.st_mode)) {
        sync_dir(path, found.st_ino);
    } else if (!fstat(file, &found)) {
        sync_file(file, &found);
    }
    pthread_mutex_unlock(&lock);
    return 1;
}

int fsync(int file) { return sync_if_watched(file) ? 0 : REAL(fsync)(file); }

int fdatasync(int file) { return sync_if_watched(file) ? 0 : REAL(fdatasync)(file); }

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    ssize_t done = real_pwrite(file, bytes, count, at);
    if (data && done > 0) record_write(file, at, at + done);
    return done;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { return pwrite(file, bytes, count, at); }

/* After a write, the file offset is the end of the written range. */
static ssize_t record_sequential_write(int file, ssize_t done) {
    if (data && done > 0) {
        int saved = errno;
        off_t end = lseek(file, 0, SEEK_CUR);
        errno = saved;
        if (end >= done) record_write(file, end - done, end);
    }
    return done;
}

ssize_t write(int file, const void *bytes, size_t count) {
    return record_sequential_write(file, real_write(file, bytes, count));
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    return record_sequential_write(file, REAL(writev)(file, parts, count));
}

ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *there, size_t count, unsigned flags) {
    ssize_t done = REAL(copy_file_range)(from, at, to, there, count, flags);
    if (data && done > 0) record_write(to, 0, INT64_MAX);
    return done;
}

int ftruncate(int file, off_t size) {
    int done = REAL(ftruncate)(file, size);
    /* If the file grows again, zeros replace the old content. */
    if (data && !done) record_write(file, size, INT64_MAX);
    return done;
}

int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

/* Runs a call that removes a file's name, and forgets the file if it was the last name. */
#define REMOVE_NAME(dir, path, call)                                              \
    do {                                                                          \
        struct stat found;                                                        \
        int done, last = data && !fstatat(dir, path, &found, AT_SYMLINK_NOFOLLOW) \
            && S_ISREG(found.st_mode) && found.st_nlink == 1;                     \
        if (last) pthread_mutex_lock(&lock);                                      \
        done = call;                                                              \
        if (last && !done) forget_file(found.st_ino);                             \
        if (last) pthread_mutex_unlock(&lock);                                    \
        return done;                                                              \
    } while (0)

int unlink(const char *path) {
    if (!data || strncmp(path, data, strlen(data))) return REAL(unlink)(path);
    REMOVE_NAME(AT_FDCWD, path, REAL(unlink)(path));
}

int unlinkat(int dir, const char *path, int flags) {
    struct stat found;
    char of[PATH_MAX];
    if (!data || !(dir == AT_FDCWD ? !strncmp(path, data, strlen(data)) : is_watched(dir, &found, of)))
        return REAL(unlinkat)(dir, path, flags);
    REMOVE_NAME(dir, path, REAL(unlinkat)(dir, path, flags));
}

int rename(const char *from, const char *to) {
    if (!data || strncmp(to, data, strlen(data))) return REAL(rename)(from, to);
    REMOVE_NAME(AT_FDCWD, to, REAL(rename)(from, to));
}
