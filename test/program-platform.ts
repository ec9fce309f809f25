// An office that is connected to the simulated platform of mini programs, which tells it of events. The caller ends it by `stop`.
import { NO_PROVIDERS, SURROUNDINGS } from '#app/providers.ts'
import { makeWechatOpen } from '#providers/wechat-open/client.ts'
import {
  makeWechatOpenKeys,
  startWechatOpenSimulator,
  type WechatOpenSimulator,
  wechatOpenSettings,
} from '#providers/wechat-open/simulator.ts'
import { type Office, openOffice } from './app.ts'
import { ANSWERED_WITHIN_MS } from './patience.ts'

const keys = makeWechatOpenKeys()

export type ProgramOffice = {
  simulator: WechatOpenSimulator
  keys: typeof keys
  office: Office
  /** How often the platform was asked by what: the last part of the path, and the action where there is one. */
  asked: Record<string, number>
  stop(): Promise<void>
}

export async function openProgramOffice(
  delays: Parameters<typeof startWechatOpenSimulator>[1] = {},
): Promise<ProgramOffice> {
  const simulator = await startWechatOpenSimulator(keys, { callbackScale: 0, ...delays })
  const asked: Record<string, number> = {}
  const surroundings = {
    ...SURROUNDINGS,
    timeoutMs: ANSWERED_WITHIN_MS,
    now: () => simulator.control.now(),
    fetch: (...[input, init]: Parameters<typeof fetch>) => {
      const { pathname, searchParams } = new URL(String(input))
      const name = `${pathname.split('/').at(-1)}${searchParams.get('action') ?? ''}`
      asked[name] = (asked[name] ?? 0) + 1
      return fetch(input, init)
    },
  }
  const settings = wechatOpenSettings(keys, simulator.url)
  const office = await openOffice({
    providers: { ...NO_PROVIDERS, miniPrograms: store => makeWechatOpen(settings, surroundings, store) },
    listen: true,
  })
  const url = `${office.url}/callbacks/wechat-open`
  simulator.setEventUrls({ platform: url, program: appid => `${url}/${appid}` })
  await simulator.settle()
  return {
    simulator,
    keys,
    office,
    asked,
    async stop() {
      await simulator.stop()
      await office.stop()
    },
  }
}
