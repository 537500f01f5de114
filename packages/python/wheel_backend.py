"""Builds the wheel and the source archive without any other package, so that `pip install` needs no network.

A pure Python wheel is a zip file with three more files in it (https://packaging.python.org/specifications/binary-distribution-format/).
"""

import base64
import hashlib
import io
import os
import re
import tarfile
import zipfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
# The same bytes from the same sources, whenever and wherever it is built.
WHEN = (1980, 1, 1, 0, 0, 0)


def _read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def _field(name):
    return re.search(rf'^{name} = "(.+)"$', _read("pyproject.toml"), re.M).group(1)


NAME, VERSION = _field("name"), _field("version")
STEM = f"{NAME}-{VERSION}"


def _metadata():
    head = [
        "Metadata-Version: 2.1",
        f"Name: {NAME}",
        f"Version: {VERSION}",
        f"Summary: {_field('description')}",
        "License: Apache-2.0",
        f"Requires-Python: {_field('requires-python')}",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(head) + "\n\n" + _read("README.md")


def _sources():
    package = os.path.join(FOLDER, NAME)
    names = sorted(name for name in os.listdir(package) if name.endswith(".py") or name == "py.typed")
    return {f"{NAME}/{name}": _read(f"{NAME}/{name}") for name in names}


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"{STEM}.dist-info"
    files = {
        **_sources(),
        f"{info}/LICENSE": _read("LICENSE"),
        f"{info}/METADATA": _metadata(),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: coinslot\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = []
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(text.encode())}")
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""])
    wheel = f"{STEM}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, WHEN), text, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    own = ["pyproject.toml", "README.md", "LICENSE", os.path.basename(__file__)]
    files = {**_sources(), **{name: _read(name) for name in own}, "PKG-INFO": _metadata()}
    archive_name = f"{STEM}.tar.gz"
    with tarfile.open(os.path.join(sdist_directory, archive_name), "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"{STEM}/{name}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return archive_name
