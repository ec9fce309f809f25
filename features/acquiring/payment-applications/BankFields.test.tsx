// Bank and branch of an account, chosen or typed.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { useForm } from '#web/form/useForm.ts'
import { BankFields } from './BankFields.tsx'
import { paymentApplications } from './contract.ts'

const EMPTY = { bankCode: '', bankName: '', bankRegion: '440305', branchName: '', branchNumber: '' }

/** What is in it stands below it. */
function Desk({ typesNumber }: { typesNumber?: boolean }) {
  const form = useForm<typeof EMPTY & { payType: 'corporate' }>({
    initial: { ...EMPTY, payType: 'corporate' },
    judge: () => [],
    send: async () => undefined,
    onDone: () => undefined,
  })
  return (
    <>
      <BankFields form={form} {...(typesNumber ? { typesNumber } : {})} />
      <output aria-label="draft">{JSON.stringify(form.draft)}</output>
    </>
  )
}

const draft = () => JSON.parse(screen.getByRole('status', { name: 'draft' }).textContent)

test('of a bank whose branches nobody lists name and number of the branch are typed', async () => {
  answer(paymentApplications.banks, { banks: [{ code: '1001', name: '招商银行', needsBranch: false }] })
  const person = show(<Desk typesNumber />)
  await person.click(await screen.findByRole('combobox', { name: /开户银行/ }))
  await person.click(await screen.findByText('招商银行', { selector: '[class*=option-content]' }))
  await person.type(screen.getByLabelText(/支行名称/), '科技园支行')
  await person.type(screen.getByLabelText(/支行联行号/), '3085 84000013 9')
  expect(draft()).toMatchObject({ bankCode: '1001', branchName: '科技园支行', branchNumber: '308584000013' })
})

test('a number that is not asked for, or that a chosen branch has, has no field', async () => {
  answer(paymentApplications.banks, { banks: null })
  show(<Desk />)
  await screen.findByLabelText(/支行名称/)
  expect(screen.queryByLabelText(/支行联行号/)).toBeNull()
})
