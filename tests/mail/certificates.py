"""Certificates for servers on loopback, valid and invalid, created for a test."""

from __future__ import annotations

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

DAY = datetime.timedelta(days=1)
HOST = "localhost"
# Signatures, certificates and lists of revoked ones; nothing else.
_SIGNS = x509.KeyUsage(*(use in (0, 5, 6) for use in range(9)))


@dataclass(frozen=True)
class Certificate:
    """A certificate and its key, in files in the format of servers."""

    chain: Path
    key: Path


class Authority:
    """An authority that signs certificates; `certificate` is the file to trust."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self.folder = folder
        self._name = _subject(f"Test {name}")
        self._key = ec.generate_private_key(ec.SECP256R1())
        builder = _builder(self._name, self._name, self._key, self._key, -DAY, DAY)
        builder = builder.add_extension(
            x509.BasicConstraints(ca=True, path_length=0), critical=True
        )
        builder = builder.add_extension(_SIGNS, critical=True)
        self.certificate = folder / f"{name}.pem"
        self.certificate.write_bytes(_pem(builder.sign(self._key, hashes.SHA256())))

    def issue(self, name: str, *, host: str = HOST, expired: bool = False) -> Certificate:
        """Issue a certificate for a server at a host; `name` is the name of its files."""
        key = ec.generate_private_key(ec.SECP256R1())
        begins, ends = (-3 * DAY, -DAY) if expired else (-DAY, DAY)
        builder = _builder(_subject(host), self._name, key, self._key, begins, ends)
        names: list[x509.GeneralName] = [x509.DNSName(host)]
        if host == HOST:
            names.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        chain, key_file = self.folder / f"{name}.crt", self.folder / f"{name}.key"
        chain.write_bytes(_pem(builder.sign(self._key, hashes.SHA256())))
        key_file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return Certificate(chain, key_file)


def _subject(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    issuer_key: ec.EllipticCurvePrivateKey,
    begins: datetime.timedelta,
    ends: datetime.timedelta,
) -> x509.CertificateBuilder:
    """Begin a certificate with the identifiers of both keys, as Python 3.13 and later require."""
    today = datetime.datetime.now(datetime.UTC)
    own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    other = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today + begins)
        .not_valid_after(today + ends)
        .add_extension(own, critical=False)
        .add_extension(other, critical=False)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
