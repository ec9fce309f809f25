// Network addresses as people write them: one address, or a network with the length of its prefix (CIDR).

type Address = { value: bigint; bits: 32 | 128 }

/** An IPv4 address, or an IPv6 address without a zone; IPv4 written as IPv6 (::ffff:192.0.2.1) is the IPv4 address. Null: neither. */
export function parseAddress(text: string): Address | null {
  if (!text.includes(':')) {
    const value = parseV4(text)
    return value === null ? null : { value, bits: 32 }
  }
  const value = parseV6(text)
  if (value === null) return null
  return value >> 32n === 0xffffn ? { value: value & 0xffffffffn, bits: 32 } : { value, bits: 128 }
}

function parseV4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every(part => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return null
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

function parseV6(text: string): bigint | null {
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) return null
  const first = groupsOf(head)
  const last = tail === undefined ? [] : groupsOf(tail)
  if (!first || !last) return null
  const missing = 8 - first.length - last.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  return [...first, ...Array<bigint>(missing).fill(0n), ...last].reduce(
    (value, group) => (value << 16n) | group,
    0n,
  )
}

/** Groups of 16 bits; an IPv4 address at the end is two of them. */
function groupsOf(text: string): bigint[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const embedded = parts.at(-1)?.includes('.') ? parseV4(parts.pop() ?? '') : undefined
  if (embedded === null || !parts.every(part => /^[\da-f]{1,4}$/i.test(part))) return null
  const groups = parts.map(part => BigInt(`0x${part}`))
  return embedded === undefined ? groups : [...groups, embedded >> 16n, embedded & 0xffffn]
}

type Network = Address & { prefix: number }

/** 203.0.113.7, 203.0.113.0/24, 2001:db8::/32. Null where it is none, also where all addresses there are would be meant. */
export function parseNetwork(text: string): Network | null {
  const [place = '', length, ...more] = text.split('/')
  const address = parseAddress(place)
  if (!address || more.length > 0) return null
  if (length === undefined) return { ...address, prefix: address.bits }
  if (!/^[1-9]\d{0,2}$/.test(length)) return null
  // Written as IPv6, its prefix counts the 96 bits before the IPv4 address too.
  const prefix = Number(length) - (address.bits === 32 && place.includes(':') ? 96 : 0)
  return prefix >= 1 && prefix <= address.bits ? { ...address, prefix } : null
}

/** Whether the address lies in one of these networks. */
export function isWithin(text: string, networks: readonly string[]): boolean {
  const address = parseAddress(text)
  if (!address) return false
  return networks.some(written => {
    const network = parseNetwork(written)
    if (!network || network.bits !== address.bits) return false
    const rest = BigInt(network.bits - network.prefix)
    return network.value >> rest === address.value >> rest
  })
}
