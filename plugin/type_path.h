/*
 * type_path.h - from a type and a byte offset to the field, as a programmer writes it.
 *
 * A path starts with the name of a variable (`config`, `table`) or of a type (`Point`)
 * and is extended by walking the type's debug information down to the bytes touched:
 * `config.mode`, `table[].next`, `Point.x`, `Outer.inner.x`. The rules:
 *
 *  - Types of C++ are qualified by namespace and class (`ns::Queue.head`), without
 *    anonymous and inline namespaces; template arguments stay as clang writes them, but those
 *    that the library supplies by default are left out (abi/library_name.h).
 *  - A struct without a name takes its typedef's. Members without a name add nothing.
 *  - A field of a base class, reached through a pointer, is named after the base class,
 *    so that methods of both classes agree.
 *  - In a union the member with the access's size, then with its kind (integer,
 *    floating, pointer) is taken: the code no longer says which one was written.
 *  - Bit-fields that share their storage are one memory location and share one name:
 *    `Flags.{a,b}`.
 *  - Atomics of the C++ library are leaves, and other members of the library's types
 *    whose names are reserved add nothing, for nobody writes `done._M_i`.
 *  - An access wider than a member stops at the struct around it.
 *  - The pointer that implements a reference `done` is `&done`.
 */
#ifndef SM_PLUGIN_TYPE_PATH_H
#define SM_PLUGIN_TYPE_PATH_H

#include "plugin/pass.h"

enum sm_tag { /* DWARF's numbers */
              SM_TAG_ARRAY = 0x01,
              SM_TAG_CLASS = 0x02,
              SM_TAG_MEMBER = 0x0d,
              SM_TAG_POINTER = 0x0f,
              SM_TAG_REFERENCE = 0x10,
              SM_TAG_STRUCT = 0x13,
              SM_TAG_TYPEDEF = 0x16,
              SM_TAG_UNION = 0x17,
              SM_TAG_INHERITANCE = 0x1c,
              SM_TAG_BASE = 0x24,
              SM_TAG_CONST = 0x26,
              SM_TAG_VOLATILE = 0x35,
              SM_TAG_RESTRICT = 0x37,
              SM_TAG_NAMESPACE = 0x39,
              SM_TAG_RVALUE_REFERENCE = 0x42,
              SM_TAG_ATOMIC = 0x47,
};

struct sm_touch { /* the bytes an access touches */
    uint64_t offset;
    uint64_t size;    /* 0 if only known when it runs */
    LLVMTypeRef type; /* or NULL */
};

struct sm_path {
    struct sm_text text;
    struct sm_text object;  /* the outermost struct on the way, "" if none */
    uint64_t object_offset; /* of the bytes within it */
    uint64_t object_size;
    uint64_t element;      /* bytes of an element, where the variable itself is the array */
    LLVMMetadataRef leaf;  /* the type the walk ended at */
    bool starts_with_type; /* the text so far is the object's name, or empty for that */
    bool bit_field;
};

void sm_path_free(struct sm_path *path);
/* Walks down from `type`; path->text holds the start, and gets the rest. With
 * starts_with_type set the start is left to the walk, which puts the type's name. */
void sm_path_walk(struct sm_path *path, LLVMMetadataRef type, struct sm_touch touch);

/* Without const, volatile, restrict, _Atomic and typedefs. */
LLVMMetadataRef sm_type_strip(LLVMMetadataRef type);
bool sm_type_is_composite(LLVMMetadataRef stripped);
bool sm_type_is_number(LLVMMetadataRef stripped);
/* What a pointer or reference type points to, or NULL if it is neither. */
LLVMMetadataRef sm_type_pointee(LLVMMetadataRef type, bool *reference);
uint64_t sm_type_size(LLVMMetadataRef type); /* bytes; 0 if unknown */
/* Name with namespaces and classes around it. */
void sm_qualified_name(struct sm_text *text, LLVMMetadataRef node);
/* The composite type that clang lowered to this IR struct, or NULL. */
LLVMMetadataRef sm_type_of_struct(struct sm_pass *pass, LLVMTypeRef structure);
/* "Point" of %struct.Point.12; false if the IR type has no name a programmer gave. */
bool sm_struct_source_name(struct sm_text *text, LLVMTypeRef structure);

#endif
