// What lists ask of features: columns and views that are kept on the server, and exports in the background. app/ fills it.
import { createContext, useContext } from 'react'
import type { ColumnSetting } from '#kit/declare/columns.ts'

export type ListView = {
  id: number
  name: string
  params: Record<string, string>
  columns: ColumnSetting[] | null
  isShared: boolean
  mayChange: boolean
}

export type ViewContent = Pick<ListView, 'params' | 'columns'>

export type ListViews = {
  /** Undefined as long as they are not known. */
  rows: readonly ListView[] | undefined
  error: unknown
  /** Why this account cannot share with its staff; null when it can. */
  shareRefusal: string | null
  nameMax: number
  /** The rule's message about a name; null when it can be taken. */
  refuseName(name: string, except?: number): string | null
  save(name: string, isShared: boolean, content: ViewContent): Promise<void>
  change(id: number, changed: Partial<ViewContent & { name: string; isShared: boolean }>): Promise<void>
  remove(id: number): Promise<void>
}

export type BackgroundExport = {
  /** Address of the file with its filters. */
  href: string
  /** Rows that the list counted; null where it does not know. */
  rowsExpected: number | null
  /** What is filtered, in words. */
  conditions: string
}

export type ListServices = {
  /** How the account arranged this list's columns; none where it did not. */
  useColumns(list: string): {
    settings: readonly ColumnSetting[]
    save(settings: readonly ColumnSetting[]): void
  }
  /** Asks for the views once they are `wanted`. */
  useViews(list: string, wanted: boolean): ListViews
  startExport(wanted: BackgroundExport): Promise<void>
}

export const ListServicesContext = createContext<ListServices | null>(null)

export function useListServices(): ListServices {
  const services = useContext(ListServicesContext)
  if (!services) throw new Error('a list was used outside of the signed-in page')
  return services
}
