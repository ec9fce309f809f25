// What a change makes stale is declared with its operation, and what it names is there.
import assert from 'node:assert/strict'
import test from 'node:test'
import { contract } from '#app/joined.ts'
import { listOps } from '#kit/declare/op.ts'

/** Changes of which no page shows anything that it has asked for before, each with why. */
const SHOWN_NOWHERE: Readonly<Record<string, string>> = {
  'signIn.login': 'the page loads afresh',
  'signIn.logout': 'the page loads afresh',
  'viewAs.agent': 'the page loads afresh',
  'viewAs.staff': 'the page loads afresh',
  'signIn.prove': 'the page loads afresh',
  'signIn.passkey': 'the page loads afresh',
  'factors.prove': 'what it opens says itself what it makes stale',
  'partners.accept': 'nobody is signed in',
  'signIn.resetPassword': 'the page has nobody signed in',
  'referenceData.exportConfiguration': 'its answer is the file',
  'messages.sendCode': 'a code is read on a phone',
  'agentProfile.sendPhoneCode': 'a code is read on a phone',
  'selling.quote': 'a quote is shown from its answer',
  'purchases.quote': 'a quote is shown from its answer',
  'purchases.bulkQuote': 'a quote is shown from its answer',
  'payments.startTokens': 'its order is in no list',
  'payments.cashierAttempt': 'the payer polls the cashier',
  'payments.cashierInApp': 'the payer polls the cashier',
  'hardware.setCartLine': 'the cart is read again after the last of several changes',
  'views.setColumns': 'the page holds what was set',
  'consultations.submit': 'is sent by people without an account',
  'partnerApplications.sendCode': 'a code is read on a phone',
  'partnerApplications.submit': 'is sent by people without an account',
  'shopPages.sendCode': 'a code is read on a phone',
  'shopPages.signIn': 'a page without an account asks again by itself',
  'shopPages.renew': 'a page without an account asks again by itself',
}

const OPS = listOps(contract)

test('every change says what it makes stale, or the list here why nothing', () => {
  const changes = OPS.filter(({ method, meta }) => method !== 'GET' && !meta.ephemeral)
  assert.ok(changes.length > 60)
  const silent = changes.filter(({ name, meta }) => !meta.stale?.length && !(name in SHOWN_NOWHERE))
  assert.deepEqual(
    silent.map(({ name }) => name),
    [],
    'Add `stale` to its declaration: features, or operations of them.',
  )
  for (const name of Object.keys(SHOWN_NOWHERE))
    assert.ok(
      changes.some(op => op.name === name && !op.meta.stale),
      name,
    )
})

test('what is made stale is a feature that is read, or an operation that reads', () => {
  const reads = OPS.filter(({ method, meta }) => method === 'GET' || meta.ephemeral).map(({ name }) => name)
  for (const { name, method, meta } of OPS) {
    if (method === 'GET') assert.equal(meta.stale, undefined, name)
    for (const stale of meta.stale ?? [])
      assert.ok(
        reads.some(read => read === stale || read.startsWith(`${stale}.`)),
        `${name} makes ${stale} stale, which nobody reads`,
      )
  }
})
