// Under which addresses the page is the program's own: PUBLIC_URL, and an agent's label before AGENT_DOMAIN_SUFFIX.
import type { Env } from '#server/env.ts'

type Addresses = Pick<Env, 'publicUrl' | 'agentDomainSuffix'>

/** One label of a domain name, as an agent may choose it. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** What stands before the suffix in a host that the request named, or null where it is none of an agent's. */
export function agentLabelOf(host: string | undefined, { agentDomainSuffix }: Addresses): string | null {
  if (host === undefined || agentDomainSuffix === undefined) return null
  const name = host.toLowerCase().replace(/:\d+$/, '')
  const ending = `.${agentDomainSuffix}`
  if (!name.endsWith(ending)) return null
  const label = name.slice(0, -ending.length)
  return LABEL.test(label) ? label : null
}

/** The origin that a page of ours has, where the request named this host. */
export function ownOrigin(addresses: Addresses, asked: { host: string | undefined; scheme: string }): string {
  const { publicUrl } = addresses
  if (publicUrl === undefined) return `${asked.scheme}://${asked.host}`
  const { origin, protocol } = new URL(publicUrl)
  return agentLabelOf(asked.host, addresses) === null ? origin : `${protocol}//${asked.host}`
}
