// The few operations that take a file as their input: who calls one is let in before a byte of it is read.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ListedOp, toProgram } from '#kit/declare/op.ts'
import type { CallContext } from '../ctx.ts'
import { admit, answerTo } from '../serve.ts'
import { withKeyRow } from './api-keys.ts'

export function addLargeBodies(
  app: FastifyInstance,
  { prefix, operations }: { prefix: string; operations: readonly ListedOp[] },
  contextOf: (request: FastifyRequest, reply: FastifyReply) => CallContext & { address: string },
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  for (const { name, path, method, meta } of operations) {
    if (meta.bodyMost === undefined) continue
    app.route({
      method: method as 'POST',
      url: `${prefix}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      bodyLimit: meta.bodyMost,
      async onRequest(request, reply) {
        const context = contextOf(request, reply)
        const called = {
          operation: `${path} ${name.slice(name.lastIndexOf('.') + 1)}`,
          title: meta.log,
          reads: false,
          address: context.address,
        }
        try {
          await withKeyRow(context, called, async () => {
            await admit(meta, context, true)
            // The call itself leaves its row, once its body is there.
            if (context.request.keyCall) context.request.keyCall.logged = true
          })
        } catch (error) {
          const told = answerTo(error)
          if (!told) throw error
          const { body } = told
          const isByKey = context.request.keyToken !== undefined || meta.forKeys === 'only'
          return reply.code(told.status).send(isByKey ? { ...body, message: toProgram(body) } : body)
        }
      },
      handler: answer,
    })
  }
}
