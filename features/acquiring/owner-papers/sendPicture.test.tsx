// A picture of the owner on its way to the server.
import { expect, test } from 'vitest'
import { answer, NO_ANSWER } from '#test/components/answers.tsx'
import { ownerPapers } from './contract.ts'
import { LIMITS } from './rules.ts'
import { newSending, type Sending, sendPicture } from './sendPicture.tsx'

const CODE = 'A'.repeat(32)
const photo = () => new Blob([new Uint8Array(LIMITS.partBytes * 2 + 10)], { type: 'image/jpeg' })

test('goes on behind the parts that have arrived when the network is back, under the same name', async () => {
  let isBroken = true
  const sent = answer(ownerPapers.sendPart, ({ part }) => {
    if (part === 1 && isBroken) throw NO_ANSWER
    return { part }
  })
  const kept = answer(ownerPapers.keepPicture, ({ paper }) => ({ paper }))
  const begun = newSending('licenceId', photo())
  let sending: Sending = begun
  const follow = (next: Sending) => {
    sending = next
  }
  await expect(sendPicture(CODE, begun, follow)).rejects.toThrow()
  expect([sending.done, kept.length]).toEqual([1, 0])
  isBroken = false
  await sendPicture(CODE, sending, follow)
  expect(sent.map(({ part }) => part)).toEqual([0, 1, 1, 2])
  expect(new Set(sent.map(({ upload }) => upload)).size).toBe(1)
  expect(kept).toEqual([{ code: CODE, paper: 'licenceId', upload: begun.upload, parts: 3 }])
})

test('asks once more for what was whole when only the last answer was lost', async () => {
  let asked = 0
  answer(ownerPapers.sendPart, ({ part }) => ({ part }))
  answer(ownerPapers.keepPicture, ({ paper }) => {
    asked += 1
    if (asked === 1) throw NO_ANSWER
    return { paper }
  })
  let sending = newSending('idFrontId', photo())
  const follow = (next: Sending) => {
    sending = next
  }
  await expect(sendPicture(CODE, sending, follow)).rejects.toThrow()
  expect(sending.done).toBe(sending.parts)
  await sendPicture(CODE, sending, follow)
  expect(asked).toBe(2)
})
