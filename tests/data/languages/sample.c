#include <stdio.h>
#include "a/b.h"
#ifndef FOO_H
#define FOO_H
#define MAX 10
#define SQ(x) ((x) * (x))
typedef struct foo foo_t;
typedef struct { int a, *b; void (*cb)(int x); char buf[10]; } bar_t;
typedef struct node { struct node *next; } node;
typedef struct nd2 { int z; } nd2_t;
typedef int (*handler_fn)(bar_t *b);
typedef unsigned long ulong_t;
enum color { RED, GREEN = MAX };
/* The table. */
static const struct ops table = { .open = my_open, .close = &my_close };
extern int elsewhere;
int counter, *ptr = NULL;
int proto(int a);
/*
 * Opens it.
 */
static bar_t *my_open(struct foo *f, const char *name, int n[]) {
  bar_t *b = malloc(sizeof(bar_t));
  int local = helper(f, RED);
  b->cb(local); f->ops->run(f); counter++; counter = MAX;
  qsort(n, local, sizeof n[0], compare);
  switch (local) { case GREEN: break; }
  return b;
}
int main(int argc, char **argv) { return SQ(argc); }
#endif

#define TRACE
typedef struct { int a; } first_t, *first_p;
typedef int (CALL *called_t)(int);
int API_CALL exported(void) { foo_t v = (foo_t){ 1 }; return use(&v); }

union value { int i; float f; };
typedef union { int i; } any_t;
typedef enum { ON, OFF } switch_t;
typedef union value_u { int i; } named_value_t;
typedef enum mode_e { FAST } mode_t2;
typedef union later later_t;
typedef enum soon soon_t;
typedef intptr_t ssize_t;
int called(handler_fn f) { return (*f)(1); }
