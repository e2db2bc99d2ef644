# `make install`: the build tree's layout under the prefix. The driver finds lib/stalemate and
# include/ beside its own bin/, so an installation may be moved as a whole.
include(GNUInstallDirs)

install(DIRECTORY ${SM_BIN_DIR}/ DESTINATION bin USE_SOURCE_PERMISSIONS)
install(DIRECTORY ${SM_LIB_DIR}/ DESTINATION lib/stalemate USE_SOURCE_PERMISSIONS)
install(FILES include/stalemate.h include/stalemate_harness.h DESTINATION include)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/ DESTINATION share)

configure_file(cmake/stalemate.pc.in stalemate.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/stalemate.pc DESTINATION lib/pkgconfig)
