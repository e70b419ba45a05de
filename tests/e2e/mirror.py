#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The far end of a cable as a mirror, for tests that have both ends of a connection in one process.

    mirror.py reflect INTERFACE ADDRESS    sends each IPv4 packet to ADDRESS back to its sender, as if ADDRESS had
                                           sent it: who calls ADDRESS reaches himself, over the cable and back
    mirror.py plain INTERFACE              has packets leave INTERFACE as they are on a wire: checksums made, and none
                                           longer than the cable takes

Checksums stay right when a packet's two addresses change places.
"""
import array
import fcntl
import socket
import struct
import sys

ETH_P_IP = 0x0800
SIOCETHTOOL, ETHTOOL_STXCSUM = 0x8946, 0x17
FRAME_MAX = 65536
ROOM = 16 << 20  # bytes: a burst that Python does not keep up with
IP_SOURCE, IP_TARGET = slice(26, 30), slice(30, 34)  # in an Ethernet frame


def reflect(interface, address):
    mirror = socket.inet_aton(address)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_IP)) as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ROOM)
        wire.bind((interface, ETH_P_IP))
        print("there", flush=True)
        frame = bytearray(FRAME_MAX)
        view = memoryview(frame)
        while True:
            size = wire.recv_into(frame)
            if frame[IP_TARGET] != mirror:
                continue
            frame[0:6], frame[6:12] = frame[6:12], frame[0:6]
            frame[IP_SOURCE], frame[IP_TARGET] = frame[IP_TARGET], frame[IP_SOURCE]
            wire.send(view[:size])


def plain(interface):
    value = array.array("B", struct.pack("II", ETHTOOL_STXCSUM, 0))
    request = struct.pack("16sP", interface.encode(), value.buffer_info()[0])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCETHTOOL, request)


if __name__ == "__main__":
    {"reflect": reflect, "plain": plain}[sys.argv[1]](*sys.argv[2:])
