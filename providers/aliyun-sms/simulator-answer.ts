// How the simulated service answers: its own codes with HTTP 200, those of the gate with theirs.
import { randomUUID } from 'node:crypto'
import { aliyunError as gateError } from '../acs3-verifier.ts'
import { json, type SimAnswer } from '../simulator.ts'

export function aliyunAnswer(members: Record<string, unknown>): SimAnswer {
  return json({ RequestId: randomUUID().toUpperCase(), Code: 'OK', Message: 'OK', ...members })
}

/** Codes of the service itself begin with isv. or isp. */
export function aliyunError(code: string, message: string): SimAnswer {
  return /^is[vp]\./.test(code) ? aliyunAnswer({ Code: code, Message: message }) : gateError(code, message)
}
