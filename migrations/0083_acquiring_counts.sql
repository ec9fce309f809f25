DROP INDEX "acquiring_progress_since";--> statement-breakpoint
DROP INDEX "acquiring_progress_turn";--> statement-breakpoint
DROP INDEX "acquiring_progress_agent_since";--> statement-breakpoint
DROP INDEX "acquiring_progress_channel";--> statement-breakpoint
DROP INDEX "acquiring_progress_reviewer";--> statement-breakpoint
DROP INDEX "payment_applications_state";--> statement-breakpoint
DROP INDEX "payment_applications_review";--> statement-breakpoint
DROP INDEX "payment_applications_submitted_at";--> statement-breakpoint
DROP INDEX "payment_applications_handled_at";--> statement-breakpoint
DROP INDEX "payment_applications_agent_id";--> statement-breakpoint
CREATE INDEX "payment_applications_agent_state" ON "payment_applications" USING btree ("agent_id","state","submitted_at","id");--> statement-breakpoint
CREATE INDEX "acquiring_progress_since" ON "acquiring_progress" USING btree ("since","id","agent_id","step") WHERE turn <> 'none';--> statement-breakpoint
CREATE INDEX "acquiring_progress_turn" ON "acquiring_progress" USING btree ("turn","since","id","agent_id");--> statement-breakpoint
CREATE INDEX "acquiring_progress_agent_since" ON "acquiring_progress" USING btree ("agent_id","since","id","step","channel","reviewer_name") WHERE turn <> 'none';--> statement-breakpoint
CREATE INDEX "acquiring_progress_channel" ON "acquiring_progress" USING btree ("channel","since","id","agent_id") WHERE turn <> 'none';--> statement-breakpoint
CREATE INDEX "acquiring_progress_reviewer" ON "acquiring_progress" USING btree ("reviewer_name","since","id","agent_id") WHERE turn <> 'none';--> statement-breakpoint
CREATE INDEX "payment_applications_state" ON "payment_applications" USING btree ("state","submitted_at","id","agent_id");--> statement-breakpoint
CREATE INDEX "payment_applications_review" ON "payment_applications" USING btree ("review_state","handled_at","id","agent_id");--> statement-breakpoint
CREATE INDEX "payment_applications_submitted_at" ON "payment_applications" USING btree ("submitted_at","id","agent_id") WHERE state <> 'draft' and submitted_at is not null;--> statement-breakpoint
CREATE INDEX "payment_applications_handled_at" ON "payment_applications" USING btree ("handled_at","id","agent_id") WHERE review_state is not null and handled_at is not null;--> statement-breakpoint
CREATE INDEX "payment_applications_agent_id" ON "payment_applications" USING btree ("agent_id","submitted_at","id") WHERE state <> 'draft' and submitted_at is not null;