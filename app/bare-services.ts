// What a program beside the office is given: database, storage and keys, and nobody who calls, listens or waits.
import type { Services } from '#server/ctx.ts'
import { makeSettingsMemory } from '#server/office/settings.ts'
import { deedsOf, exportHandlers, firstCallOf, reachOfKeys } from './joined.ts'
import { NO_PROVIDERS } from './providers.ts'

type Given = 'env' | 'clock' | 'database' | 'standby' | 'storage' | 'secrets' | 'walls' | 'onProblem'

export function bareServices(given: Pick<Services, Given>): Services {
  return {
    ...given,
    exports: exportHandlers,
    deedsOf,
    firstCallOf,
    reachOfKeys,
    exportQueued: () => undefined,
    providers: NO_PROVIDERS,
    paid: {},
    edited: [],
    configured: [],
    districts: [],
    inbox: [],
    setup: [],
    settings: { declared: [], memory: makeSettingsMemory() },
    baseUrl: () => '',
    wake: () => undefined,
    push: () => undefined,
    connected: () => [],
    count: () => undefined,
    actorOf: async () => null,
    forgetActors: () => undefined,
    keyOf: async () => null,
    agentOf: () => undefined,
    takeCall: () => Promise.reject(new Error('no program comes in here')),
    noteForeign: async () => false,
    isFactorFresh: async () => false,
  }
}
