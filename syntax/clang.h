/*
 * clang.h - libclang, loaded when `fix` or `harness` reads sources.
 *
 * If the command were linked with it, each start of `stalemate` would relocate all of clang; and a
 * machine without it can still do everything else. Include this in place of <clang-c/Index.h>: each
 * function that clang.def lists is called by its own name.
 */
#ifndef SM_SYNTAX_CLANG_H
#define SM_SYNTAX_CLANG_H

#include <clang-c/Index.h>
#include <stdbool.h>

struct sm_clang {
#define SM_CLANG(function) __typeof__ (&(function))(p_##function);
#include "syntax/clang.def"
};
extern struct sm_clang sm_clang;

/* False with a reason, to be freed, if there is none. Once loaded it stays. */
bool sm_clang_load(char **why);

char *sm_clang_text(CXString string); /* to be freed; disposes of the string */
/* How many diagnostics are at least that severe; the first one's text, to be freed, or NULL. */
unsigned sm_clang_diagnostics(CXTranslationUnit parsed, enum CXDiagnosticSeverity least,
                              char **first);

#define clang_Cursor_getArgument sm_clang.p_clang_Cursor_getArgument
#define clang_Cursor_getNumArguments sm_clang.p_clang_Cursor_getNumArguments
#define clang_Cursor_getStorageClass sm_clang.p_clang_Cursor_getStorageClass
#define clang_Cursor_isBitField sm_clang.p_clang_Cursor_isBitField
#define clang_Cursor_isVariadic sm_clang.p_clang_Cursor_isVariadic
#define clang_File_isEqual sm_clang.p_clang_File_isEqual
#define clang_Location_isFromMainFile sm_clang.p_clang_Location_isFromMainFile
#define clang_Location_isInSystemHeader sm_clang.p_clang_Location_isInSystemHeader
#define clang_Type_getSizeOf sm_clang.p_clang_Type_getSizeOf
#define clang_Type_visitFields sm_clang.p_clang_Type_visitFields
#define clang_createIndex sm_clang.p_clang_createIndex
#define clang_disposeDiagnostic sm_clang.p_clang_disposeDiagnostic
#define clang_disposeIndex sm_clang.p_clang_disposeIndex
#define clang_disposeString sm_clang.p_clang_disposeString
#define clang_disposeTranslationUnit sm_clang.p_clang_disposeTranslationUnit
#define clang_equalCursors sm_clang.p_clang_equalCursors
#define clang_formatDiagnostic sm_clang.p_clang_formatDiagnostic
#define clang_getArrayElementType sm_clang.p_clang_getArrayElementType
#define clang_getCString sm_clang.p_clang_getCString
#define clang_getCanonicalType sm_clang.p_clang_getCanonicalType
#define clang_getCursorBinaryOperatorKind sm_clang.p_clang_getCursorBinaryOperatorKind
#define clang_getCursorDefinition sm_clang.p_clang_getCursorDefinition
#define clang_getCursorExtent sm_clang.p_clang_getCursorExtent
#define clang_getCursorKind sm_clang.p_clang_getCursorKind
#define clang_getCursorLinkage sm_clang.p_clang_getCursorLinkage
#define clang_getCursorLocation sm_clang.p_clang_getCursorLocation
#define clang_getCursorReferenced sm_clang.p_clang_getCursorReferenced
#define clang_getCursorResultType sm_clang.p_clang_getCursorResultType
#define clang_getCursorSemanticParent sm_clang.p_clang_getCursorSemanticParent
#define clang_getCursorSpelling sm_clang.p_clang_getCursorSpelling
#define clang_getCursorType sm_clang.p_clang_getCursorType
#define clang_getCursorUSR sm_clang.p_clang_getCursorUSR
#define clang_getCursorUnaryOperatorKind sm_clang.p_clang_getCursorUnaryOperatorKind
#define clang_getDiagnostic sm_clang.p_clang_getDiagnostic
#define clang_getDiagnosticSeverity sm_clang.p_clang_getDiagnosticSeverity
#define clang_getFileLocation sm_clang.p_clang_getFileLocation
#define clang_getFileName sm_clang.p_clang_getFileName
#define clang_getNumDiagnostics sm_clang.p_clang_getNumDiagnostics
#define clang_getPointeeType sm_clang.p_clang_getPointeeType
#define clang_getRangeEnd sm_clang.p_clang_getRangeEnd
#define clang_getRangeStart sm_clang.p_clang_getRangeStart
#define clang_getTranslationUnitCursor sm_clang.p_clang_getTranslationUnitCursor
#define clang_getTypeDeclaration sm_clang.p_clang_getTypeDeclaration
#define clang_getTypeSpelling sm_clang.p_clang_getTypeSpelling
#define clang_isConstQualifiedType sm_clang.p_clang_isConstQualifiedType
#define clang_parseTranslationUnit sm_clang.p_clang_parseTranslationUnit
#define clang_visitChildren sm_clang.p_clang_visitChildren

#endif
