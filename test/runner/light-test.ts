// Node's runner follows every promise of the program to the test that it began in, so as to know to which test an error belongs that
// nobody caught: an eighth of the processor time of a usual file. What `AsyncLocalStorage` follows costs nearly nothing, and knows it too.
import hooks from 'node:async_hooks'

type Init = (asyncId: number, type: string, triggerAsyncId: number, resource: object) => void

const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks
const NONE = { enable: () => NONE, disable: () => NONE }
const around = new AsyncLocalStorage<number>()
let init: Init | undefined
/** Of the test that is the file: what modules do while they are loaded belongs to it. */
let ofFile: number | undefined

/** Tests are such. */
class Followed extends AsyncResource {
  constructor(type: string, options?: hooks.AsyncResourceOptions) {
    super(type, options)
    init?.(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: unknown[]) => Result,
    thisArg?: This,
    ...args: unknown[]
  ): Result {
    const within = () => around.run(this.asyncId(), () => work.apply(thisArg as This, args))
    return super.runInAsyncScope(within)
  }
}

Object.assign(hooks, {
  AsyncResource: Followed,
  createHook(callbacks: { init: Init }) {
    init = callbacks.init
    return NONE
  },
  executionAsyncId: () => around.getStore() ?? ofFile ?? executionAsyncId(),
})
const { test } = await import('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })

/** One at a time. */
export async function testFile(file: string, load: () => Promise<unknown>): Promise<void> {
  await test(file, async () => {
    ofFile = around.getStore()
    await load()
  })
  ofFile = undefined
}
