# find_package(Lattn): the config file, the exported targets, the headers.
include(CMakePackageConfigHelpers)
set(LATTN_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Lattn)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/LattnConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/LattnConfig.cmake
  INSTALL_DESTINATION ${LATTN_CMAKE_DIR})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/LattnConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/LattnConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/LattnConfigVersion.cmake
  DESTINATION ${LATTN_CMAKE_DIR})
install(EXPORT LattnTargets NAMESPACE Lattn:: DESTINATION ${LATTN_CMAKE_DIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ ${PROJECT_BINARY_DIR}/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN "*.td" PATTERN "*.def"
  PATTERN "CMakeFiles" EXCLUDE)
