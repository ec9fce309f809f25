// The server as a component meets it: operations of the contract, each with the answer that the test gives it. What a test
// answers goes through the contract's schemas, and an operation that nobody has answered fails the test.
import type { AnyContractProcedure } from '@orpc/contract'
import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { implement, ORPCError, type Router } from '@orpc/server'
import { type In, type Out, statusOf } from '#kit/declare/op.ts'

type Answering<P extends AnyContractProcedure> = (input: In<P>) => Out<P> | Promise<Out<P>>
type Answered = { op: AnyContractProcedure; procedure: unknown }

let answered: Answered[] = []
let faults: string[] = []

/**
 * From now on the operation answers so: with what it is given, as the server presents it. A promise that is not kept yet is an
 * answer on its way. What it was asked with is in the list that this answers.
 */
export function answer<P extends AnyContractProcedure>(
  op: P,
  answering: NoInfer<Answering<P> | Out<P>>,
): In<P>[] {
  const inputs: In<P>[] = []
  const procedure = implement(op).handler(({ input }) => {
    inputs.push(input as In<P>)
    return typeof answering === 'function' ? (answering as Answering<P>)(input as In<P>) : answering
  })
  answered = [...answered.filter(one => one.op !== op), { op, procedure }]
  return inputs
}

/** What a test has the server say or leave unsaid; any other failure is a fault of the test or of the page. */
const meant = new WeakSet<object>()

/** A refusal of the operation, to be thrown as its answer. */
export function refusal<P extends AnyContractProcedure>(
  op: P,
  code: keyof P['~orpc']['errorMap'] & string,
  data: Record<string, unknown> = {},
): Error {
  const message = op['~orpc'].errorMap[code]?.message ?? ''
  const refused = new ORPCError(code, { status: statusOf(code), message, data })
  meant.add(refused)
  return refused
}

/** To be thrown where no answer comes, as without a network. */
export const NO_ANSWER = new Error('no answer comes')
meant.add(NO_ANSWER)

async function respond(...sent: Parameters<typeof fetch>): Promise<Response> {
  const request = new Request(...sent)
  const failures: Error[] = []
  const handler = new OpenAPIHandler(routerOf(answered), {
    clientInterceptors: [
      ({ next }) =>
        next().catch((error: Error) => {
          failures.push(error)
          throw error
        }),
    ],
  })
  const { matched, response } = await handler.handle(request, { prefix: '/api', context: {} })
  const asked = `${request.method} ${new URL(request.url).pathname}`
  if (failures.includes(NO_ANSWER)) throw new TypeError('Failed to fetch')
  for (const failure of failures) if (!meant.has(failure)) faults.push(`${asked}: ${inWords(failure)}`)
  if (matched) return response
  faults.push(`${asked}: the test answers it nowhere`)
  return Response.json({ code: 'NOT_FOUND', message: '接口不存在' }, { status: 404 })
}

function routerOf(operations: readonly Answered[]) {
  const router = Object.fromEntries(operations.map(({ procedure }, i) => [String(i), procedure]))
  return router as Router<never, object>
}

function inWords({ message, cause }: Error): string {
  const issues = cause instanceof Error && 'issues' in cause ? cause.issues : undefined
  return issues ? `${message} ${JSON.stringify(issues)}` : message
}

/** Takes the place of the network. */
export function listen(): void {
  globalThis.fetch = respond
}

/** Forgets all answers, and fails with what nobody had answered, or nobody could. */
export function closeServer(): void {
  const found = faults
  answered = []
  faults = []
  if (found.length > 0) throw new Error(found.join('\n'))
}
