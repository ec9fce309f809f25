import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'

let office: Office

before(async () => {
  office = await openOffice()
})
after(() => office.stop())

describe('what outside services call', () => {
  const call = (path: string, bytes: number) =>
    office.app.http.inject({ method: 'POST', url: `/callbacks${path}`, payload: Buffer.alloc(bytes, 'a') })

  test('a callback of a payment is read up to 64 KB, receipts up to 1 MB, and no further', async () => {
    assert.equal((await call('/pay/wechat', 64 * 1024)).statusCode, 404, 'no channel is connected')
    assert.equal((await call('/pay/wechat', 64 * 1024 + 1)).statusCode, 413)
    assert.equal((await call('/sms/aliyun/secret', 1024 * 1024)).statusCode, 404)
    assert.equal((await call('/sms/aliyun/secret', 1024 * 1024 + 1)).statusCode, 413)
  })

  test('callbacks are counted by their path, without what is secret in it', async () => {
    await call('/sms/aliyun/s3cret', 1)
    const { body } = await office.app.http.inject('/metrics')
    assert.match(
      body,
      /http_request_seconds_count\{method="POST",path="\/callbacks\/pay\/\{channel\}",status="413"\}/,
    )
    assert.match(body, /path="\/callbacks\/sms\/\{provider\}\/\{secret\}",status="404"/)
    assert.doesNotMatch(body, /s3cret/)
  })

  test('is told an address that is one, also where the host is an IPv6 address', async () => {
    const beside = await openOffice({ settings: { HOST: '::1' } })
    try {
      const { hostname } = new URL('/callbacks/pay/wechat', beside.app.services.baseUrl())
      assert.equal(hostname, '[::1]')
    } finally {
      await beside.stop()
    }
  })
})
