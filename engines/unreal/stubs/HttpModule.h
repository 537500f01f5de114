#pragma once
#include "Interfaces/IHttpRequest.h"
struct FHttpModule
{
	static FHttpModule& Get() { static FHttpModule Module; return Module; }
	TSharedRef<IHttpRequest, ESPMode::ThreadSafe> CreateRequest() { return {}; }
};
