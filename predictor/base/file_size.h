/* file_size.h - how large a file is, without waiting for it */
#ifndef PREDICTOR_BASE_FILE_SIZE_H
#define PREDICTOR_BASE_FILE_SIZE_H

/* Bytes of a regular file, as its file system last knew; nothing is opened,
 * and nothing mounted.  `folder`: where relative paths begin, a descriptor or
 * AT_FDCWD.  -1: there is none, or it lies in /proc, /dev or /sys. */
double file_size(int folder, const char *path);

#endif
