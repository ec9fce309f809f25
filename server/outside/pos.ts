// The point of sale asked while a person waits: its answer, or a refusal in words. Nothing is asked a second time.
import { POS_REFUSALS, type PosService } from '#kit/ports/pos-service.ts'
import { ProviderBusy, ProviderRefused, ProviderUnknown, ProviderUnreadable } from '#kit/ports/providers.ts'
import { Refusal } from '../refuse.ts'

type Served = { providers: { pos: PosService | null }; onProblem: (error: unknown) => void }

/** `own`: refusals of the service that mean something to whoever asks, by its codes. */
export async function askPos<T>(
  { providers: { pos }, onProblem }: Served,
  ask: (pos: PosService) => Promise<T>,
  own: Readonly<Record<string, Refusal>> = {},
): Promise<T> {
  if (!pos) throw refusalOf('POS_NOT_CONNECTED')
  try {
    return await ask(pos)
  } catch (error) {
    if (error instanceof ProviderUnreadable) {
      onProblem(error)
      throw refusalOf('POS_UNREADABLE')
    }
    if (error instanceof ProviderUnknown) throw refusalOf('POS_SILENT')
    if (!(error instanceof ProviderRefused)) throw error
    const known = own[error.code]
    if (known) throw known
    if (error instanceof ProviderBusy) throw refusalOf('POS_BUSY')
    onProblem(error)
    throw refusalOf('POS_REFUSED')
  }
}

const refusalOf = (code: keyof typeof POS_REFUSALS) => new Refusal(code, POS_REFUSALS[code])
