import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'

/** Shows what others did meanwhile where it is refused. */
export async function settled(work: Promise<unknown>, done: string): Promise<void> {
  await work.catch((error: unknown) => {
    readAgain('workOrders')
    throw error
  })
  toast.success(done)
  await reread()
}

/** For a mutation without a form. */
export function settling(done: string) {
  return {
    onSuccess: () => toast.success(done),
    onError: (error: Error) => toast.error(messageOf(error)),
    onSettled: (_answer: unknown, error: unknown) => (error ? readAgain('workOrders') : reread()),
  }
}
