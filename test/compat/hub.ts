// The hub as the documents' client has it (D1 §4 Real-time): registers, keeps what it is told, confirms by trace id, and comes back after 2 s.
import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'

// biome-ignore lint/suspicious/noExplicitAny: a client of old knows no shapes.
export type Told = { topicName: string; argsObj: any }

export type HubClient = {
  hub: HubConnection
  /** Each notice once. */
  told: Told[]
  /** The trace ids as they came, again and again. */
  deliveries: string[]
  register(userId: string): Promise<unknown>
  confirm(traceId: string): Promise<unknown>
}

export type HubOptions = {
  host: string
  token: string
  /** Connects at once, and does not ask what by. */
  skipNegotiation?: boolean
  /** The token is brought as the documents' calls do. */
  byKey?: boolean
  confirms?: boolean
}

const RECONNECT_AFTER_MS = 2_000
export const HUB_ADDRESS = '/NoticeHub'

export async function openHubClient(options: HubOptions): Promise<HubClient> {
  const { host, token, skipNegotiation = false, byKey = false, confirms = false } = options
  const hub = new HubConnectionBuilder()
    .withUrl(`${host}${HUB_ADDRESS}${byKey ? `?key=${token}` : ''}`, {
      skipNegotiation,
      ...(byKey ? {} : { accessTokenFactory: () => token }),
      transport: HttpTransportType.WebSockets,
    })
    .withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => RECONNECT_AFTER_MS })
    .configureLogging(LogLevel.None)
    .build()
  const client: HubClient = {
    hub,
    told: [],
    deliveries: [],
    register: userId =>
      hub.invoke('Register', {
        UserId: userId,
        AppType: 'PcWeb',
        IsMaster: true,
        ClientId: hub.connectionId,
      }),
    confirm: traceId => hub.invoke('OnClientReceivedNotice', traceId, true),
  }
  hub.on('NoticeAsync', (topicName, argsObj) => {
    if (!client.deliveries.includes(argsObj.traceId)) client.told.push({ topicName, argsObj })
    client.deliveries.push(argsObj.traceId)
    if (confirms) void hub.send('OnClientReceivedNotice', argsObj.traceId, true)
  })
  await hub.start()
  return client
}
