// What stands behind every page and is fetched, as one file, once the page stands: rows wait for none of it.
export { default as StepUpHost } from '#features/office/factors/StepUpDialog.tsx'
export { default as NoticeChannel } from '#features/office/notices/NoticeChannel.tsx'
export { default as ExportTasks } from '#features/overview/exports/ExportTasks.tsx'
