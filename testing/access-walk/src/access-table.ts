/**
 * Who may make each call, written by hand from the specification. It repeats the access rules on purpose: the server
 * and the page follow those rules, so a wrong rule would be wrong in both. Change a line only together with a decision
 * about who may make the call.
 *
 * - `y`: it works, and a list contains the object
 * - `.`: it works, and the list lacks the object
 * - `1`, `3`, `4`: 401, 403, 404
 *
 * The object belongs to the workspace. It is a person `self` or theirs, a group with its admin and member, or a dataset
 * or connection with one requester for each right. Uploads, jobs and schedules are those of `self`, who may read and
 * write their dataset.
 */
export const accessTable = `
# Signing in, and the server itself
authenticate                        yyy yyy yyyyyyyyy yy yyyy yy yyy
signOut                             yyy yyy yyyyyyyyy yy yyyy yy yyy
getMe                               1yy yyy yyyyyyyyy yy yyyy yy yyy
getHealth                           yyy yyy yyyyyyyyy yy yyyy yy yyy
getOpenApi                          yyy yyy yyyyyyyyy yy yyyy yy yyy
listSessions                        1.. .y. ......... .. .... .. 333
deleteSession                       144 4y4 444444444 44 4444 44 333
updateSession                       144 4y4 444444444 44 4444 44 333
getSignInOptions                    yyy yyy yyyyyyyyy yy yyyy yy yyy
beginSingleSignOn                   yyy yyy yyyyyyyyy yy yyyy yy yyy
finishSingleSignOn                  yyy yyy yyyyyyyyy yy yyyy yy yyy

# People: everyone in the workspace is in its directory
listUsers                           1.. yyy yyyyyyyyy yy yyyy yy yyy
createUser                          y34 33y y33333333 33 3333 33 333
getUser                             144 yyy yyyyyyyyy yy yyyy yy yyy
updateUser                          144 3yy y33333333 33 3333 33 333
deleteUser                          144 3yy y33333333 33 3333 33 333
requestEmailVerification            1yy yyy yyyyyyyyy yy yyyy yy 333
confirmEmail                        yyy yyy yyyyyyyyy yy yyyy yy yyy
confirmEmailChange                  yyy yyy yyyyyyyyy yy yyyy yy yyy
requestPasswordReset                yyy yyy yyyyyyyyy yy yyyy yy yyy
startPasswordReset                  134 33y y33333333 33 3333 33 333
confirmPasswordReset                yyy yyy yyyyyyyyy yy yyyy yy yyy
setProfilePicture                   144 3y3 333333333 33 3333 33 333
getProfilePicture                   144 yyy yyyyyyyyy yy yyyy yy yyy
deleteProfilePicture                144 3y3 333333333 33 3333 33 333

# Invitations: self is the one who was invited
listInvitations                     13. 33y y33333333 33 3333 33 333
createInvitation                    13y 33y y33333333 33 3333 33 333
lookAtInvitation                    yyy yyy yyyyyyyyy yy yyyy yy yyy
joinWorkspace                       yyy yyy yyyyyyyyy yy yyyy yy yyy
acceptInvitation                    144 4y4 444444444 44 4444 44 333
deleteInvitation                    134 33y y33333333 33 3333 33 333

# Workspaces and permissions: self holds the permission; foreigner has a workspace, and their address is unverified
listWorkspaces                      1.. yyy yyyyyyyyy yy yyyy yy yyy
createWorkspace                     1y3 yyy yyyyyyyyy yy yyyy yy 333
getWorkspace                        144 yyy yyyyyyyyy yy yyyy yy yyy
updateWorkspace                     144 33y 333333333 33 3333 33 333
deleteWorkspace                     144 33y 333333333 33 3333 33 333
listWorkspacePermissions            13y yyy yyyyyyyyy yy yyyy yy yyy
listWorkspacePermissionAssignments  13. .yy y........ .. .... .. ...
createWorkspacePermissionAssignment 134 33y y33333333 33 3333 33 333
getWorkspacePermissionAssignment    134 4yy y44444444 44 4444 44 444
deleteWorkspacePermissionAssignment 134 4yy y44444444 44 4444 44 333

# Attributes: self holds the attribute
listAttributes                      13. .yy ..y...... .. .... .. ...
createAttribute                     134 33y 33y333333 33 3333 33 333
getAttribute                        134 4yy 44y444444 44 4444 44 444
patchAttribute                      134 43y 44y444444 44 4444 44 444
deleteAttribute                     134 43y 44y444444 44 4444 44 444
listAttributeAssignments            13. .yy ..y...... .. .... .. ...
createAttributeAssignment           134 33y 33y333333 33 3333 33 333
getAttributeAssignment              134 4yy 44y444444 44 4444 44 444
patchAttributeAssignment            134 43y 44y444444 44 4444 44 444
deleteAttributeAssignment           134 43y 44y444444 44 4444 44 444

# Groups: the key is in the group, the applications are not
listGroups                          13. ..y .y....... yy .... .. y..
createGroup                         134 yyy yyyyyyyyy yy yyyy yy yyy
getGroup                            134 44y 4y4444444 yy 4444 44 y44
patchGroup                          134 44y 4y4444444 y3 4444 44 344
deleteGroup                         134 44y 4y4444444 y3 4444 44 344
listGroupMemberships                13. ..y .y....... yy .... .. y..
createGroupMembership               134 44y 4y4444444 y3 4444 44 344
getGroupMembership                  134 44y 4y4444444 yy 4444 44 y44
patchGroupMembership                134 44y 4y4444444 y3 4444 44 344
deleteGroupMembership               134 44y 4y4444444 y3 4444 44 344

# Datasets: key and applications may manage them; a grant is visible to its group
listDatasets                        13. ..y ...y..... .. yyyy .. yyy
createDataset                       134 yyy yyyyyyyyy yy yyyy yy yyy
getDataset                          134 44y 444y44444 44 yyyy 44 yyy
patchDataset                        134 44y 444y44444 44 y33y 44 yyy
deleteDataset                       134 44y 444y44444 44 y33y 44 yyy
listDatasetPermissions              13. ..y ...y..... yy y..y .. yyy
createDatasetPermission             134 44y 444y44444 44 y33y 44 yyy
getDatasetPermission                134 44y 444y44444 yy y44y 44 yyy
patchDatasetPermission              134 44y 444y44444 33 y44y 44 yyy
deleteDatasetPermission             134 44y 444y44444 33 y44y 44 yyy

# Offers of a dataset: self is the recipient
listTransferResourceRequests        13. .yy ...y..... .. y... .. 333
createTransferResourceRequest       134 44y 444y44444 44 y333 44 333
getTransferResourceRequest          134 4yy 444y44444 44 y444 44 333
patchTransferResourceRequest        134 4yy 444y44444 44 y444 44 333

# Writing records
writeRecords                        134 44y 444y44444 44 y3yy 44 yyy
writeRecordsV2                      134 44y 444y44444 44 y3yy 44 yyy
createUpload                        134 44y 444y44444 44 y3yy 44 yyy
startIngest                         134 44y 444y44444 44 y3yy 44 yyy
previewIngest                       134 44y 444y44444 44 y3yy 44 yyy
previewUpload                       13y yyy yyyyyyyyy yy yyyy yy yyy
getIngestOptions                    13y yyy yyyyyyyyy yy yyyy yy yyy
listLabelParsers                    13y yyy yyyyyyyyy yy yyyy yy yyy
getLabelParser                      13y yyy yyyyyyyyy yy yyyy yy yyy
getLabelVisibility                  13y yyy yyyyyyyyy yy yyyy yy yyy
patchColumnSecurity                 134 44y 444y44444 44 y33y 44 333
listColumnLabels                    134 44y 444y44444 44 y33y 44 yyy
deleteRecords                       134 44y 444y44444 44 y33y 44 yyy
deleteRecordsByQuery                134 44y 444y44444 44 y33y 44 yyy
deleteDocumentsByQuery              134 44y 444y44444 44 y33y 44 yyy
relabelRecords                      134 44y 444y44444 44 y33y 44 yyy
clearDataset                        134 44y 444y44444 44 y33y 44 yyy

# Reading records: a dataset in a statement that a writer may not read does not exist
queryLucene                         134 44y 444y44444 44 yy3y 44 yyy
readInSequence                      134 44y 444y44444 44 yy3y 44 yyy
readRange                           134 44y 444y44444 44 yy3y 44 yyy
getSplits                           134 44y 444y44444 44 yy3y 44 yyy
getDatasetSchema                    134 44y 444y44444 44 yy3y 44 yyy
query                               134 44y 444y44444 44 yy4y 44 yyy
cancelQuery                         134 4y4 444444444 44 4444 44 444
queryDocuments                      134 44y 444y44444 44 yy3y 44 yyy
queryDocumentsLucene                134 44y 444y44444 44 yy3y 44 yyy
summarizeSql                        134 44y 444y44444 44 yy3y 44 yyy
summarizeLucene                     134 44y 444y44444 44 yy3y 44 yyy
readRows                            134 44y 444y44444 44 yy3y 44 yyy
profileFields                       134 44y 444y44444 44 yy3y 44 yyy
listValues                          134 44y 444y44444 44 yy3y 44 yyy
getRecordSource                     134 44y 444y44444 44 yy3y 44 yyy
serveMedia                          134 44y 444y44444 44 yy3y 44 yyy
getDocumentPage                     134 44y 444y44444 44 yy3y 44 yyy
getMediaFile                        yyy yyy yyyyyyyyy yy yyyy yy yyy

# The workbench: nobody sees the queries of others
getDraftKey                         13y yyy yyyyyyyyy yy yyyy yy 333
listSavedQueries                    13. .y. ......... .. .... .. 333
createSavedQuery                    13y yyy yyyyyyyyy yy yyyy yy 333
getSavedQuery                       134 4y4 444444444 44 4444 44 333
patchSavedQuery                     134 4y4 444444444 44 4444 44 333
deleteSavedQuery                    134 4y4 444444444 44 4444 44 333
listQueryHistory                    13. .y. ......... .. .... .. 333
deleteQueryHistory                  13y yyy yyyyyyyyy yy yyyy yy 333
createExport                        13y yyy yyyyyyyyy yy yyyy yy 333
downloadExport                      134 4y4 444444444 44 4444 44 333

# Indexes, jobs and schedules: managers see that they exist, their details are of self
listIndexes                         13. ..y ...y..... .. y33y .. yyy
createIndex                         134 44y 444y44444 44 y33y 44 yyy
getIndex                            134 44y 444y44444 44 y44y 44 yyy
patchIndex                          134 44y 444y44444 44 y44y 44 yyy
deleteIndex                         134 44y 444y44444 44 y44y 44 yyy
manageIndexes                       134 44y 444y44444 44 y33y 44 yyy
listJobs                            13. .yy ...y..... .. y..y .. yyy
createJob                           134 44y 444y44444 44 y33y 44 yyy
getJob                              134 4yy 444y44444 44 y44y 44 yyy
patchJob                            134 4yy 444y44444 44 y44y 44 yyy
listSegments                        13. .y. ......... .. .... .. ...
getSegment                          134 4y4 444444444 44 4444 44 444
listSchedules                       13. .yy ...y..... .. y..y .. yyy
createSchedule                      134 44y 444y44444 44 y3yy 44 yyy
getSchedule                         134 4yy 444y44444 44 y44y 44 yyy
patchSchedule                       134 4yy 444y44444 44 y44y 44 yyy
deleteSchedule                      134 4yy 444y44444 44 y44y 44 yyy
runSchedule                         134 4y3 444344444 44 3443 44 333
listScheduleRuns                    134 4yy 444y44444 44 y44y 44 yyy

# Uploads: readers see those with records visible to them
getJobReceipt                       134 4yy 444y44444 44 yy4y 44 yyy
listUploads                         13. .yy ...y..... .. yy.y .. yyy
deleteUpload                        134 4yy 444y44444 44 y34y 44 yyy
listRejectedRows                    13. .y. ......... .. .... .. ...
replayRejectedRows                  134 4y4 444444444 44 4444 44 444

# Connections: an application has the rights of its admin, a key those of its groups
listConnections                     13. ..y ...y..... .. .... yy .yy
createConnection                    134 yyy yyyyyyyyy yy yyyy yy yyy
getConnection                       134 44y 444y44444 44 4444 yy 4yy
patchConnection                     134 44y 444y44444 44 4444 3y 4yy
deleteConnection                    134 44y 444y44444 44 4444 3y 4yy
testConnection                      134 44y 444y44444 44 4444 yy 4yy
listConnectionPermissions           13. ..y ...y..... yy .... .y yyy
createConnectionPermission          134 44y 444y44444 44 4444 3y 4yy
getConnectionPermission             134 44y 444y44444 yy 4444 4y yyy
deleteConnectionPermission          134 44y 444y44444 33 4444 4y 3yy

# API keys and applications: self may use the application
listApiKeys                         13. .yy .....y... .. .... .. 333
createApiKey                        134 yyy yyyyyyyyy yy yyyy yy 333
getApiKey                           134 4yy 44444y444 44 4444 44 333
patchApiKey                         134 4yy 44444y444 44 4444 44 333
deleteApiKey                        134 4yy 44444y444 44 4444 44 333
listApplications                    13. .yy ....y.... .. .... .. 333
createApplication                   134 33y 3333y3333 33 3333 33 333
getApplication                      134 4yy 4444y4444 44 4444 44 333
patchApplication                    134 43y 4444y4444 44 4444 44 333
deleteApplication                   134 43y 4444y4444 44 4444 44 333
listApplicationGrants               1.. .y. ......... .. .... .. 333
deleteApplicationGrant              144 4y4 444444444 44 4444 44 333
authorizeApplication                yyy yyy yyyyyyyyy yy yyyy yy yyy
answerApplication                   yyy yyy yyyyyyyyy yy yyyy yy yyy
exchangeOAuthToken                  yyy yyy yyyyyyyyy yy yyyy yy yyy
revokeOAuthToken                    yyy yyy yyyyyyyyy yy yyyy yy yyy
getOAuthMetadata                    yyy yyy yyyyyyyyy yy yyyy yy yyy

# Administration of the workspace: foreigner administers another one
getUsage                            13y 33y 33333333y 33 3333 33 333
startCheckout                       13y 33y 33333333y 33 3333 33 333
openBillingPortal                   13y 33y 33333333y 33 3333 33 333
receiveBillingEvent                 yyy yyy yyyyyyyyy yy yyyy yy yyy
queryAuditLog                       13y yyy yyyyyyyyy yy yyyy yy 333
listAuditLogConfigs                 13. 33y 333333y33 33 3333 33 333
patchAuditLogConfig                 134 33y 333333y33 33 3333 33 333
listCustomIdentityProviders         13. ..y .......y. .. .... .. 333
createCustomIdentityProvider        13y 33y 3333333y3 33 3333 33 333
getCustomIdentityProvider           134 44y 4444444y4 44 4444 44 333
patchCustomIdentityProvider         134 44y 4444444y4 44 4444 44 333
deleteCustomIdentityProvider        134 44y 4444444y4 44 4444 44 333
`;
