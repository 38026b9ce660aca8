# SPDX-License-Identifier: MIT
"""A recipe for Spack 1.0, from a release that `make dist` made in build/. Not run:
tests/project/packages.test compares what it depends on with the list of quickstart.

    spack repo add packaging/spack
    spack install --no-checksum hamon
"""

import pathlib

from spack.package import *
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage


class Hamon(AutotoolsPackage):
    """Records and analyses pursuit by waves on a grid."""

    url = (pathlib.Path(__file__).resolve().parents[4] / "build/hamon-1.0.0.tar.xz").as_uri()
    license("MIT")
    version("1.0.0")

    # Spack has no package of these fonts.
    resource(
        name="dejavu",
        url="https://downloads.sourceforge.net/project/dejavu/dejavu/2.37/dejavu-fonts-ttf-2.37.tar.bz2",
        sha256="fa9ca4d13871dd122f61258a80d01751d603b4d3ee14095d65453b4e846e17d7",
        placement="dejavu",
    )

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hdf5@1.10.5: +hl ~mpi")
    depends_on("libpng@1.6:")
    depends_on("freetype")
    depends_on("cairo@1.16: +pdf +ft +fc")
    depends_on("fontconfig@2.13:")
    depends_on("zlib-api")
    depends_on("libdeflate@1.8:")
    depends_on("lapack")
    depends_on("qpdf@11:")
    depends_on("gnuplot", type="run")
    depends_on("poppler", type="run")
    depends_on("python@3.9:", type="run")
    depends_on("py-xarray", type="run")

    @run_before("configure")
    def install_font(self):
        mkdirp(self.prefix.share.hamon)
        install("dejavu/ttf/DejaVuSans.ttf", self.prefix.share.hamon)

    def configure_args(self):
        return [
            f"--with-font={self.prefix.share.hamon}/DejaVuSans.ttf",
            "--without-kissfft",  # Spack has none: hamon-modes ends with an error
            f"LAPACK_LIBS={self.spec['lapack'].libs.ld_flags}",
            f"LAPACK_CFLAGS=-I{self.spec['lapack'].prefix.include}",
        ]

    def setup_run_environment(self, env):
        env.prepend_path("PYTHONPATH", self.prefix.share.hamon.python)
