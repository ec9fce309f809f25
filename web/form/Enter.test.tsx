// Enter in whatever a form can hold: it sends from the form's own texts alone.
import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { EditableCell } from '../controls/EditableCell.tsx'
import { ListSearch } from '../list/ListSearch.tsx'
import { AppliedText } from './AppliedText.tsx'
import { Check, Switch } from './Check.tsx'
import { Choice } from './Choice.tsx'
import { Cascade } from './choices/Cascade.tsx'
import { DateRange } from './dates/DateRange.tsx'
import { Day } from './dates/Day.tsx'
import { ExactInstantPicker, InstantPicker } from './dates/InstantPicker.tsx'
import { FormElement } from './FormElement.tsx'
import { Select } from './Select.tsx'
import { Stepper } from './Stepper.tsx'
import { TextInput } from './TextField.tsx'

const nothing = () => undefined
const AT = '2099-01-05T01:00:00.000Z'
const TOWNS = [{ value: 1, label: '东莞' }]

const OWN: Record<string, [draws: () => ReactNode, role: string]> = {
  'a day': [() => <Day aria-label="它" value="2099-01-05" onChange={nothing} />, 'textbox'],
  'a moment': [() => <InstantPicker aria-label="它" value={AT} onChange={nothing} />, 'textbox'],
  'an exact moment': [
    () => <ExactInstantPicker aria-label="它" value={AT} onChange={nothing} allowClear placeholder="" />,
    'textbox',
  ],
  'days from and to': [
    () => <DateRange label="它" from="2099-01-05" to={undefined} onChange={nothing} />,
    'textbox',
  ],
  'one of many': [() => <Select aria-label="它" value={1} options={TOWNS} onChange={nothing} />, 'combobox'],
  'a step of a tree': [
    () => (
      <Cascade aria-label="它" options={[{ code: '44', name: '广东' }]} path={['44']} onChange={nothing} />
    ),
    'combobox',
  ],
  'a search': [() => <ListSearch placeholder="它" value="" onChange={nothing} />, 'textbox'],
  'a text that applies': [() => <AppliedText aria-label="它" value="" onApply={nothing} />, 'textbox'],
  'a text with keys of its own': [
    () => <TextInput aria-label="它" value="" onChange={nothing} onKeyDown={nothing} />,
    'textbox',
  ],
  'a counter': [
    () => <Stepper label="它" value={1} max={9} maxReason="最多 9" onChange={nothing} />,
    'textbox',
  ],
  'a box to tick': [() => <Check checked onChange={nothing} aria-label="它" />, 'checkbox'],
  'a switch': [() => <Switch checked onChange={nothing} aria-label="它" />, 'switch'],
  'one of few': [() => <Choice label="它" value={1} options={TOWNS} onChange={nothing} />, 'radio'],
}

async function entered(draws: ReactNode, role: string, person?: (user: UserEvent) => unknown) {
  let sent = 0
  const user = show(
    <FormElement onSubmit={() => sent++}>
      {draws}
      <button type="submit">保存</button>
    </FormElement>,
  )
  const [control] = await screen.findAllByRole(role)
  await person?.(user)
  control?.focus()
  await user.keyboard('{Enter}{Enter}')
  return sent
}

for (const [what, [draws, role]] of Object.entries(OWN))
  test(`Enter in ${what} sends nothing`, async () => {
    expect(await entered(draws(), role)).toBe(0)
  })

test('Enter in a cell that is edited where it stands saves the cell and sends nothing', async () => {
  const cell = (
    <EditableCell label="备注" value="" placeholder="" lock={null} refuse={() => null} save={nothing} />
  )
  expect(
    await entered(cell, 'button', user => user.click(screen.getByRole('button', { name: /^编辑/ }))),
  ).toBe(0)
})
