// Where a filter by id has its choices and their names from.
import type { ComponentType } from 'react'

export type NamedRow = { readonly id: number; readonly name: string }

export type PickerProps = {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}

/** All rows at once, asked for when they are wanted; or one row's name, and a picker that searches where a person may choose. */
export type Options =
  | { useRows: (wanted: boolean) => readonly NamedRow[] | undefined }
  | { useName: (id: number | undefined) => string | undefined; Picker?: ComponentType<PickerProps> }
