// Speaks to TianQue's open platform (随行付天阙) for an organisation that brings shops in there: a payment through a merchant's number, what
// came of it, and its refund. [K] Paths, names of fields and states are those of public programs that speak to it; how it words a wrong
// signature, the number of an unknown order and the form of `payTime` were not verified.
import type { AcquirerDesk, AcquirerPayState, AcquirerRefundState } from '#kit/ports/acquirer-pay.ts'
import {
  ProviderRefused,
  ProviderUnreadable,
  type SettingsReader,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { ADDRESSES } from '#providers/addresses.ts'
import { pemOf } from '../pem.ts'
import { type Members, textOrNull } from '../read.ts'
import { askPlatform, type TianqueSettings } from './transport.ts'
import { instantOf, yuanText } from './wire.ts'

export const TIANQUE_PREFIX = 'TIANQUE_'
export function readTianque({ need, may }: SettingsReader): TianqueSettings {
  return {
    baseUrl: (may('BASE_URL') ?? ADDRESSES.TIANQUE_BASE_URL).replace(/\/+$/, ''),
    orgId: need('ORG_ID'),
    privateKey: pemOf('PRIVATE', need('PRIVATE_KEY'), 'TIANQUE_PRIVATE_KEY'),
    publicKey: pemOf('PUBLIC', need('PUBLIC_KEY'), 'TIANQUE_PUBLIC_KEY'),
  }
}

const PAY_STATES: Readonly<Record<string, AcquirerPayState>> = {
  SUCCESS: 'paid',
  PAYING: 'waiting',
  FAIL: 'failed',
  CLOSED: 'closed',
  CANCELED: 'closed',
}
const REFUND_STATES: Readonly<Record<string, AcquirerRefundState>> = {
  REFUNDSUC: 'done',
  REFUNDING: 'processing',
  REFUNDFAIL: 'failed',
}

export function makeTianque(settings: TianqueSettings, surroundings: Surroundings): AcquirerDesk {
  const ask = (path: string, data: Record<string, string>) => askPlatform(settings, surroundings, path, data)
  return {
    async create({ merchant: mno, orderNo: ordNo, amountFen, subject, minutes }) {
      const answer = await ask('/order/activePlusScan', {
        ...{ mno, ordNo, amt: yuanText(amountFen), subject },
        ...{ timeExpire: String(minutes), trmIp: '127.0.0.1' },
      })
      const codeUrl = textOrNull(answer.payUrl)
      if (codeUrl === null) throw new ProviderUnreadable('/order/activePlusScan answered no payUrl')
      return { codeUrl }
    },
    async query(mno, ordNo) {
      const answer = await ask('/query/tradeQuery', { mno, ordNo })
      const state = stateOf(PAY_STATES, answer, '/query/tradeQuery')
      return { state, paidAt: instantOf(answer.payTime) }
    },
    async close(mno, origOrderNo) {
      await ask('/query/close', { mno, origOrderNo })
    },
    async refund({ merchant: mno, orderNo: origOrderNo, refundNo: ordNo, amountFen }) {
      const answer = await ask('/order/refund', { mno, ordNo, origOrderNo, amt: yuanText(amountFen) })
      return stateOf(REFUND_STATES, answer, '/order/refund')
    },
    async queryRefund(mno, ordNo) {
      try {
        return stateOf(REFUND_STATES, await ask('/query/refundQuery', { mno, ordNo }), '/query/refundQuery')
      } catch (error) {
        if (error instanceof ProviderRefused && /不存在/.test(error.message)) return 'none'
        throw error
      }
    },
    troubleOf,
  }
}

function stateOf<State>(states: Readonly<Record<string, State>>, { tranSts }: Members, path: string): State {
  const state = states[textOrNull(tranSts) ?? '']
  if (state === undefined) throw new ProviderUnreadable(`${path} answered the state ${String(tranSts)}`)
  return state
}

function troubleOf({ code, message }: { code: string; message: string }): string {
  const said = `天阙：${message || '未说明原因'}（${code || '无代码'}）`
  if (/验签|签名/.test(message)) return `签名校验失败，请检查密钥与机构号。${said}`
  if (/商户/.test(message)) return `天阙不认识该商户编号，或商户状态异常，请核对商户编号。${said}`
  return said
}
