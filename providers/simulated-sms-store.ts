// What a simulated SMS service remembers of messages: a ring of fixed size for receipts and details, and the texts of the
// last thousand for its inbox. Memory does not grow with the number of messages.

/**
 * By the number's last four digits: 0000 is on the carrier's blacklist, 0001 fails at the carrier, 0002 never gets a
 * receipt, 0003 is charged one segment more than its text has; all others are delivered. `limited`: taken, but over the
 * number's limits.
 */
const OUTCOMES = ['delivered', 'blacklisted', 'failed', 'silent', 'longer', 'limited'] as const
export type Outcome = (typeof OUTCOMES)[number]
const BY_SUFFIX: Record<string, Outcome> = {
  '0000': 'blacklisted',
  '0001': 'failed',
  '0002': 'silent',
  '0003': 'longer',
}
const INBOX_MAX = 1000

export function outcomeOf(phone: string): Outcome {
  return BY_SUFFIX[phone.slice(-4)] ?? 'delivered'
}

/** One accepted call: what its messages share. */
export type SmsCall = { id: string; reference: string; template: string }
export type NewMessage = {
  phone: string
  signature: string
  text: string
  segments: number
  outcome: Outcome
  sentAtMs: number
  call: SmsCall
}
export type KeptMessage = Omit<NewMessage, 'signature' | 'text'> & { sequence: number }
export type InboxMessage = NewMessage & { sequence: number }
export type SmsStore = ReturnType<typeof makeSmsStore>

export function makeSmsStore(rememberMax: number) {
  const phones = new Float64Array(rememberMax)
  const times = new Float64Array(rememberMax)
  const outcomes = new Uint8Array(rememberMax)
  const segments = new Uint8Array(rememberMax)
  const calls = new Array<SmsCall | undefined>(rememberMax)
  const inbox = new Array<InboxMessage | undefined>(INBOX_MAX)
  let taken = 0
  const get = (sequence: number): KeptMessage | null => {
    if (sequence >= taken || sequence < taken - rememberMax) return null
    const slot = sequence % rememberMax
    return {
      sequence,
      phone: String(phones[slot]),
      sentAtMs: times[slot] as number,
      outcome: OUTCOMES[outcomes[slot] as number] as Outcome,
      segments: segments[slot] as number,
      call: calls[slot] as SmsCall,
    }
  }
  return {
    get,
    /** Answers the message's number in the order of all. */
    add(message: NewMessage): number {
      const slot = taken % rememberMax
      phones[slot] = Number(message.phone)
      times[slot] = message.sentAtMs
      outcomes[slot] = OUTCOMES.indexOf(message.outcome)
      segments[slot] = message.segments
      calls[slot] = message.call
      inbox[taken % INBOX_MAX] = { ...message, sequence: taken }
      return taken++
    },
    /** Newest first. */
    find(phone: string, fromMs: number, toMs: number): KeptMessage[] {
      const wanted = Number(phone)
      const found: KeptMessage[] = []
      for (let sequence = taken - 1; sequence >= Math.max(0, taken - rememberMax); sequence--) {
        const slot = sequence % rememberMax
        const at = times[slot] as number
        if (phones[slot] === wanted && at >= fromMs && at < toMs) found.push(get(sequence) as KeptMessage)
      }
      return found
    },
    /** The last thousand, newest first. */
    inbox(): InboxMessage[] {
      const found: InboxMessage[] = []
      for (let sequence = taken - 1; sequence >= Math.max(0, taken - INBOX_MAX); sequence--)
        found.push(inbox[sequence % INBOX_MAX] as InboxMessage)
      return found
    },
    /** Null where it is no longer in the inbox. */
    textOf(sequence: number): string | null {
      const message = inbox[sequence % INBOX_MAX]
      return message?.sequence === sequence ? `【${message.signature}】${message.text}` : null
    },
    taken: () => taken,
  }
}
