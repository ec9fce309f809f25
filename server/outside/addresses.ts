// Which addresses a request that somebody else asked for may go to: those of the public internet and no others.
import { isWithin, parseAddress } from '#kit/words/addresses.ts'

/** IANA's special-purpose registries, and what clouds tell their machines at addresses that look like others. */
const CLOSED = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  // Carrier-grade NAT, where some clouds have their metadata too.
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Link-local, with the metadata of most clouds.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // A public address that Azure answers its machines at.
  '168.63.129.16',
  // Multicast, reserved, broadcast.
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Protocols of the IETF with Teredo; documentation; 6to4, which carries any IPv4 address.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]
/** Of IPv6 nothing else is global: not loopback, unique-local, link-local, multicast, and not what carries IPv4 (NAT64 and its kin). */
const GLOBAL_V6 = ['2000::/3']
const LOOPBACK = ['127.0.0.0/8', '::1']

export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (!address || isWithin(text, CLOSED)) return false
  return address.bits === 32 || isWithin(text, GLOBAL_V6)
}

export const isLoopbackAddress = (text: string) => isWithin(text, LOOPBACK)
