// The cashier in the browser of a channel's own app: paid in place by the bridge that the browser brings, or by the app's own page.
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Out } from '#kit/declare/op.ts'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import CashierPage from './CashierPage.tsx'
import { payments } from './contract.ts'

type Cashier = Out<typeof payments.cashier>
type Channel = Cashier['channels'][number]

const TOKEN = 'cashier-of-a-test-0001'
const PARAMETERS = { appId: 'wx1', package: 'prepay_id=wx2', paySign: 'signed' }

const channel = (name: Channel['channel'], known: Partial<Channel> = {}): Channel => ({
  channel: name,
  status: null,
  codeUrl: null,
  authorizeUrl: null,
  parameters: null,
  ...known,
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The address opened by an app; answers what was asked of its channels. */
function openIn(agent: string, channels: Channel[]) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
  const questions = answer(payments.cashier, {
    subject: '短信充值 10,500条',
    amountFen: 50_000,
    payee: '海岸科技',
    payeeLogo: null,
    status: 'waiting',
    remainingSeconds: 600,
    channels,
    phoneUrl: null,
  })
  const opened = answer(payments.cashierAttempt, { status: 'waiting' })
  show(<CashierPage />, { at: `/c/${TOKEN}` })
  return { questions, opened }
}

test('inside WeChat it is paid in place, and asked for once however often its state is asked for', async () => {
  const invoke = vi.fn()
  vi.stubGlobal('WeixinJSBridge', { invoke })
  const { questions } = openIn('Mozilla/5.0 MicroMessenger/8.0.50', [
    channel('wechat', { status: 'waiting', parameters: PARAMETERS }),
    channel('alipay'),
  ])
  await screen.findByText('请在微信中完成支付')
  await waitFor(() => expect(questions.length).toBeGreaterThan(2))
  expect(invoke.mock.calls.map(([name, given]) => [name, given])).toEqual([
    ['getBrandWCPayRequest', PARAMETERS],
  ])
})

test('inside WeChat whose bridge comes later it is paid once the bridge is there', async () => {
  const invoke = vi.fn()
  openIn('Mozilla/5.0 MicroMessenger/8.0.50', [
    channel('wechat', { status: 'waiting', parameters: PARAMETERS }),
  ])
  await screen.findByText('请在微信中完成支付')
  vi.stubGlobal('WeixinJSBridge', { invoke })
  document.dispatchEvent(new Event('WeixinJSBridgeReady'))
  expect(invoke).toHaveBeenCalledOnce()
})

test('inside Alipay its own page opens as soon as there is a code', async () => {
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined)
  openIn('Mozilla/5.0 AlipayClient/10.5', [
    channel('wechat'),
    channel('alipay', { status: 'waiting', codeUrl: 'https://qr.alipay.com/bax01' }),
  ])
  await waitFor(() => expect(replace.mock.calls).toEqual([['https://qr.alipay.com/bax01']]))
})

test('in a browser that is no channel’s own each channel’s code is asked for once', async () => {
  const { questions, opened } = openIn('Mozilla/5.0 Chrome', [channel('wechat'), channel('alipay')])
  await screen.findByRole('region', { name: '微信付款码' })
  await waitFor(() => expect(questions.length).toBeGreaterThan(1))
  expect(opened.map(({ channel: name }) => name).sort()).toEqual(['alipay', 'wechat'])
})
