package store

import "hiresure/admission/document"

func (t *tx) ViewsOf(registrationID string, most int) (views []document.View, err error) {
	var rows []documentViewRow
	err = t.db.Where("registration_id = ?", registrationID).Order("at DESC, id").Limit(most).Find(&rows).Error
	for _, row := range rows {
		views = append(views, document.View{DocumentID: row.DocumentID, RegistrationID: row.RegistrationID, Viewer: row.Viewer, At: row.At})
	}
	return views, wrap("list views of documents", err)
}
