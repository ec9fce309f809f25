// What a list asks of the shell, where a test is about the page alone: nothing is arranged, no view is kept, nothing is written into a file.
import type { ListServices } from '#web/list/list-services.ts'

export const NO_LIST_SERVICES: ListServices = {
  useColumns: () => ({ settings: [], save: () => undefined }),
  useViews: () => ({
    ...{ rows: [], error: null, shareRefusal: null, nameMax: 20, refuseName: () => null },
    ...{ save: async () => undefined, change: async () => undefined, remove: async () => undefined },
  }),
  startExport: async () => undefined,
}
