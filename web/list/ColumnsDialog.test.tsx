// The widths that are typed for the columns of a list.
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ColumnSetting } from '#kit/declare/columns.ts'
import { show } from '#test/components/show.tsx'
import ColumnsDialog from './ColumnsDialog.tsx'

function dialog() {
  const set: (readonly ColumnSetting[])[] = []
  const columns = [
    { key: 'name', title: '名称', width: 200 },
    { key: 'stock', title: '库存' },
  ]
  const person = show(
    <ColumnsDialog
      columns={columns}
      settings={[]}
      onChange={next => set.push(next)}
      onClose={() => undefined}
    />,
  )
  return { person, set }
}

test('a width that is none, too small or too large stays where it was typed, is refused in words and never becomes another', async () => {
  const { person, set } = dialog()
  const box = await screen.findByRole('textbox', { name: '库存 列宽' })
  for (const typed of ['9000', '12', '2.5', '-1', '宽']) {
    await person.clear(box)
    await person.type(box, `${typed}{Enter}`)
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('列宽须为56至800的整数'))
    expect([box.getAttribute('aria-invalid'), (box as HTMLInputElement).value]).toEqual(['true', typed])
  }
  expect(set).toEqual([])
  await person.clear(box)
  await person.type(box, '300{Enter}')
  expect(set.at(-1)).toContainEqual({ key: 'stock', width: 300 })
  expect(screen.queryByRole('alert')).toBeNull()
})
