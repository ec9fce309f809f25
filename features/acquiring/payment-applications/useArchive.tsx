import { messageOf, saveFile } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import type { RowAction } from '#web/list/list-props.ts'

/** The papers of an application as one file, out of its row; it may ask for a fresh second factor. */
export function useArchive(): { actionsOf: (row: { id: number }) => RowAction[] } {
  const mayTake = usePermission('documents.take')
  return {
    actionsOf: ({ id }) =>
      mayTake
        ? [
            {
              key: 'zip',
              label: '下载资料',
              reads: true,
              onClick: () =>
                void saveFile(`/api/payment-applications/${id}/zip`).catch((error: unknown) =>
                  toast.error(messageOf(error)),
                ),
            },
          ]
        : [],
  }
}
