#pragma once
struct IHttpRequest;
struct IHttpResponse { FString GetContentAsString() const { return {}; } };
using FHttpRequestPtr = TSharedPtr<IHttpRequest>;
using FHttpResponsePtr = TSharedPtr<IHttpResponse>;
struct FStubCompleted
{
	template <class Work> void BindLambda(Work&& Run) { Run(FHttpRequestPtr(), FHttpResponsePtr(), true); }
};
struct IHttpRequest
{
	void SetURL(const FString&) {}
	void SetVerb(const FString&) {}
	void SetHeader(const FString&, const FString&) {}
	void SetContentAsString(const FString&) {}
	bool ProcessRequest() { return true; }
	FStubCompleted OnProcessRequestComplete() { return {}; }
};
